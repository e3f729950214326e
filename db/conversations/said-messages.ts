import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { MessageModel, type MessageRow } from './models/message.js';

/** A message that the member reads: no notes, tool traffic, and keywords such as STOP. */
export type SaidMessage = Pick<MessageRow, 'id' | 'role' | 'author' | 'content'>;

const said = `chat_id = ? and sub_conversation_of is null and role in ('user', 'assistant')
  and content is not null and sms_keyword is null`;
const fields = ['id', 'role', 'author', 'content'] as const;
const columns = fields.join(', ');

/** The first messages of a chat, up to `limit`, and the newest that fit together, at least one; both in their order. */
export async function selectBothEnds(
  tx: Tx,
  chatId: number,
  { first, newest, bytes, bytesOfMessage }: Record<'first' | 'newest' | 'bytes' | 'bytesOfMessage', number>,
): Promise<{ first: SaidMessage[]; newest: SaidMessage[] }> {
  const [beginning, end] = await Promise.all([
    MessageModel.pick(tx, fields, `${said} order by id limit ?`, [chatId, first]),
    prepared<SaidMessage>(
      tx,
      `select ${columns} from (
         select ${columns}, row_number() over (order by id desc) as place,
           sum(least(value_bytes, ?::int)) over (order by id desc) as bytes_so_far
         from (select ${columns}, value_bytes from messages where ${said} order by id desc limit ?) newest
       ) fitting
       where place = 1 or bytes_so_far <= ? order by id`,
      [bytesOfMessage, chatId, newest, bytes],
    ),
  ]);
  return { first: beginning, newest: end };
}

/** Whether a message is still there with its words: it can be deleted and erased. */
export async function isStillSaid(tx: Tx, chatId: number, messageId: number): Promise<boolean> {
  return MessageModel.exists(tx, `${said} and id = ?`, [chatId, messageId]);
}

/** How many calls of models in a chat belong to no turn of its agent, since a time, booked and begun. */
export async function countCallsBesideTurns(tx: Tx, chatId: number, since: Date): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    `select (select count(*) from token_usage where chat_id = ? and created_at > ? and turn_uuid is null)::integer
       + (select count(*) from open_model_calls where chat_id = ? and turn_uuid is null)::integer as count`,
    [chatId, since, chatId],
  );
  return row?.count ?? 0;
}
