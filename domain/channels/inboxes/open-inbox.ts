import { findInbox, type InboxRow } from '../../../db/channels/inboxes.js';
import type { ServiceContext } from '../../kernel/context.js';
import { isInboundSecret } from './inbox-secret.js';

export interface OpenedInbox {
  workspaceId: number;
  workspaceUuid: string;
  inbox: InboxRow;
}

/** Finds the inbox that mail is handed in to; undefined also for one that does not have this secret. */
export async function openInbox(
  { db, clock }: ServiceContext,
  uuid: string,
  secret: string,
): Promise<OpenedInbox | undefined> {
  const route = await db.identity.inboxRoutes.findByUuid(uuid);
  if (route === undefined) return undefined;
  const { workspaceId, inboxId } = route;
  const [inbox, workspace] = await Promise.all([
    db.readInWorkspace(workspaceId, (tx) => findInbox(tx, inboxId)),
    db.identity.workspaces.findById(workspaceId),
  ]);
  if (inbox === undefined || workspace === undefined) return undefined;
  if (!isInboundSecret(inbox, secret, clock.now())) return undefined;
  return { workspaceId, workspaceUuid: workspace.uuid, inbox };
}
