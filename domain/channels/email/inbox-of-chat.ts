import {
  findInbox,
  findInboxByAddress,
  type InboxRow,
  selectDefaultInboxes,
} from '../../../db/channels/inboxes.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';

/**
 * The inbox of email chats that name none: the only one of the workflow that is in use, else the only one of the workspace.
 * Undefined if there is none, or if several could be meant.
 */
export async function defaultInbox(tx: Tx, definitionId: number | null): Promise<InboxRow | undefined> {
  const meant = await selectDefaultInboxes(tx, definitionId, 2);
  return meant.length === 1 ? meant[0] : undefined;
}

/**
 * The inbox of an email beside a chat on another channel: the one with this address, by default as for email chats.
 * @returns undefined if there is none, or if it is disabled
 */
export async function inboxBeside(
  tx: Tx,
  { definitionId }: Pick<ChatRow, 'definitionId'>,
  address: string | undefined,
): Promise<InboxRow | undefined> {
  if (address === undefined) return defaultInbox(tx, definitionId);
  const inbox = await findInboxByAddress(tx, address);
  return inbox?.enabled === true ? inbox : undefined;
}

/** The inbox that a chat's emails are sent from; undefined if it has none, or if its inbox is disabled. */
export async function inboxOfChat(
  tx: Tx,
  { inboxId, definitionId }: Pick<ChatRow, 'inboxId' | 'definitionId'>,
): Promise<InboxRow | undefined> {
  const inbox = inboxId === null ? await defaultInbox(tx, definitionId) : await findInbox(tx, inboxId);
  return inbox?.enabled === true ? inbox : undefined;
}
