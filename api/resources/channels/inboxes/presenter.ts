import type { InboxRow } from '../../../../db/channels/inboxes.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import type { InboxResponse } from './schemas.js';

export function presentInbox(actor: Actor, row: InboxRow): InboxResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    address: row.address,
    fromName: row.fromName,
    signature: row.signature,
    assistantMemberId: row.assistantMemberId,
    workflowId: row.definitionId,
    enabled: row.enabled,
    // The user of a mail server is half of a credential, and how senders are proved is the other side of posing as one.
    ...(actor.can('inboxes:write') ? { authservId: row.authservId, smtp: serverOf(row) } : {}),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function serverOf({
  smtpHost,
  smtpPort,
  smtpSecurity,
  smtpUser,
}: InboxRow): Exclude<InboxResponse['smtp'], undefined> {
  if (smtpHost === null || smtpPort === null || smtpSecurity === null) return null;
  return { host: smtpHost, port: smtpPort, security: smtpSecurity, user: smtpUser };
}

export function presentWithSecret(
  actor: Actor,
  { inbox, inboundSecret }: { inbox: InboxRow; inboundSecret: string },
): InboxResponse & { inboundSecret: string } {
  return { ...presentInbox(actor, inbox), inboundSecret };
}
