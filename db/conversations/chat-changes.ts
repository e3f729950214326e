import { idCondition } from '../lib/id-condition.js';
import { cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { pageOfMessages } from './message-pages.js';
import { ChatModel } from './models/chat.js';
import type { MessageRow } from './models/message.js';

/** A message that was created or changed at a revision of its chat, in its current state. */
interface MessageChange {
  revision: number;
  isNew: boolean;
  message: MessageRow;
}

/**
 * Lists message changes after one revision and up to another: each message once, in the order of the last changes.
 * Both statements are sent together.
 */
export async function selectMessageChanges(
  tx: Tx,
  chatId: number,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<{ changes: MessageChange[]; readTo: number }> {
  const read = async (isNew: boolean) => {
    const revision = isNew ? 'created_revision' : 'revision';
    const changed = isNew ? '' : 'and revision > created_revision';
    const { text, bindings } = withinBytes({
      text: pageOfMessages(
        `chat_id = ? and sub_conversation_of is null ${changed} and ${revision} > ? and ${revision} <= ?`,
        `order by ${revision}`,
        // As a parameter, it would have PostgreSQL plan the statement each time.
        `limit ${limit}`,
      ),
      bindings: [chatId, after, upTo],
    });
    const { items, isCut } = cutOf(await prepared<Sized<MessageRow>>(tx, text, bindings));
    const changes = items.map((message) => ({
      revision: isNew ? message.createdRevision : message.revision,
      isNew,
      message,
    }));
    const readTo = isCut || items.length === limit ? changes.at(-1)?.revision : undefined;
    return { changes, readTo: readTo ?? upTo };
  };
  const [created, updated] = await Promise.all([read(true), read(false)]);
  // Beyond the revision that both lists were read to, one of them may be incomplete.
  const readTo = Math.min(created.readTo, updated.readTo);
  const changes = [...created.changes, ...updated.changes]
    .filter(({ revision }) => revision <= readTo)
    .sort((one, other) => one.revision - other.revision);
  return { changes, readTo };
}

/** The numbers of the last changes of a chat: of all, of the chat itself, of its timeline and of its calls. */
export async function findRevisions(tx: Tx, chatId: number) {
  const fields = ['revision', 'changedRevision', 'timelineRevision', 'callRevision'] as const;
  const [found] = await ChatModel.pick(tx, fields, 'id = ?', [chatId]);
  return found;
}

export async function chatRevisions(tx: Tx, chatIds: readonly number[]): Promise<Map<number, number>> {
  const { condition, binding } = idCondition('id', chatIds);
  const rows = await ChatModel.pick(tx, ['id', 'revision'], condition, [binding]);
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}
