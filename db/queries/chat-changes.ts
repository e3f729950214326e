import type { Tx } from '../database.js';
import { ChatModel } from '../models/chat.js';
import { MessageModel, type MessageRow } from '../models/message.js';

/** A message that came, or changed, at a revision of its chat; as it is now. */
export interface MessageChange {
  revision: number;
  isNew: boolean;
  message: MessageRow;
}

/**
 * What happened to the chat's own messages after one revision and up to another, in order, as far as `limit`.
 * A message that changed several times is told of once, at its last change.
 */
export async function listMessageChanges(
  tx: Tx,
  chatId: number,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<{ changes: MessageChange[]; complete: boolean }> {
  const own = () => MessageModel.query(tx).where({ chat_id: chatId }).whereNull('sub_conversation_of');
  const created = await own()
    .where('created_revision', '>', after)
    .where('created_revision', '<=', upTo)
    .orderBy('created_revision')
    .limit(limit);
  const updated = await own()
    .whereRaw('revision > created_revision')
    .where('revision', '>', after)
    .where('revision', '<=', upTo)
    .orderBy('revision')
    .limit(limit);
  const changes = [
    ...created.map((message) => ({ revision: message.createdRevision, isNew: true, message })),
    ...updated.map((message) => ({ revision: message.revision, isNew: false, message })),
  ].sort((one, other) => one.revision - other.revision);
  // Beyond the first `limit` of both, one of the two lists may lack something.
  const complete = created.length < limit && updated.length < limit;
  return { changes: complete ? changes : changes.slice(0, limit), complete };
}

/** The revisions of chats of one workspace. */
export async function chatRevisions(tx: Tx, chatIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await ChatModel.query(tx)
    .whereIn('id', [...chatIds])
    .select('id', 'revision');
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}
