import { createReadStream } from 'node:fs';
import { findInbox, type InboxRow } from '../../../db/channels/inboxes.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { Encryption } from '../../lib/encryption.js';
import { isSigned, readSignature } from './inbound-signature.js';
import { inboundSecretsOf, isInboundSecret } from './inbox-secret.js';

export interface OpenedInbox {
  workspaceId: number;
  workspaceUuid: string;
  inbox: InboxRow;
}

/** Finds the inbox that mail is handed in to; undefined also for one that does not have this secret. */
export async function openInbox(
  context: ServiceContext,
  uuid: string,
  secret: string,
): Promise<OpenedInbox | undefined> {
  const found = await findByUuid(context, uuid);
  if (found === undefined) return undefined;
  return isInboundSecret(found.inbox, secret, context.clock.now()) ? found : undefined;
}

/**
 * The same by a signature of the mail. The mail is received only for an inbox that exists, with a signature of now.
 * @param receive receives the mail into a file
 * @throws Undecipherable, and the errors of `receive`
 */
export async function openInboxBySignature(
  { encryption, ...context }: ServiceContext & { encryption: Encryption },
  uuid: string,
  header: string,
  receive: () => Promise<{ path: string } | undefined>,
): Promise<OpenedInbox | undefined> {
  const now = context.clock.now();
  const signature = readSignature(header, now);
  if (signature === undefined) return undefined;
  const found = await findByUuid(context, uuid);
  if (found === undefined) return undefined;
  const { secrets, unreadable } = inboundSecretsOf(encryption, found.inbox, now);
  if (secrets.length === 0 && unreadable !== undefined) throw unreadable;
  const mail = secrets.length === 0 ? undefined : await receive();
  if (mail === undefined) return undefined;
  if (await isSigned(createReadStream(mail.path), signature, secrets)) return found;
  // It may be by the one that cannot be read, so that the sender has to wait.
  if (unreadable !== undefined) throw unreadable;
  return undefined;
}

async function findByUuid({ db }: ServiceContext, uuid: string): Promise<OpenedInbox | undefined> {
  const route = await db.identity.inboxRoutes.findByUuid(uuid);
  if (route === undefined) return undefined;
  const { workspaceId, inboxId } = route;
  const [inbox, workspace] = await Promise.all([
    db.readInWorkspace(workspaceId, (tx) => findInbox(tx, inboxId)),
    db.identity.workspaces.findById(workspaceId),
  ]);
  if (inbox === undefined || workspace === undefined) return undefined;
  return { workspaceId, workspaceUuid: workspace.uuid, inbox };
}
