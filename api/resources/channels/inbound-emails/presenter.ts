import type { InboundEmailRow } from '../../../../db/channels/inbound-emails.js';
import type { InboundEmailResponse } from './schemas.js';

export function presentInboundEmail(row: InboundEmailRow): InboundEmailResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    inboxId: row.inboxId,
    state: row.state,
    reason: row.reason,
    needsResponse: row.needsResponse,
    from: row.fromAddress,
    senderProved: row.proved,
    subject: row.subject,
    size: row.bytes,
    hasRaw: row.objectId !== null,
    chatId: row.chatId,
    receivedAt: row.receivedAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedByMemberId: row.resolvedByMemberId,
  };
}
