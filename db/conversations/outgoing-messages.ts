import { allOf, ifGiven } from '../lib/conditions.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import type { Channel } from './models/chat.js';
import type { MessageAuthor } from './models/message.js';
import { shownText } from './waiting-chats.js';

/** A message that could not be sent, or is yet to be. */
export interface OutgoingMessage {
  id: number;
  uuid: string;
  chatId: number;
  chatChannel: Channel;
  memberId: number;
  memberName: string | null;
  author: MessageAuthor | null;
  authorMemberId: number | null;
  /** Plain text, cut. */
  text: string;
  createdAt: Date;
  failureReason: string | null;
  errorCode: string | null;
  /** Of one that is yet to be sent: the time that it waits for, and how often it was tried. */
  notBefore: Date | null;
  attempts: number | null;
}

export interface OutgoingFilter {
  state: 'waiting' | 'failed';
  channel?: Channel | undefined;
  failureReason?: string | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  /** Only messages before this one. */
  before?: number | undefined;
}

const waiting = `select message_id as id, max(not_before) as not_before, max(attempts) as attempts
  from deliveries where state in ('queued', 'claimed') group by message_id`;

/** Lists messages over all chats, the newest first. Those that failed are found by their index. */
export async function selectOutgoingMessages(
  tx: Tx,
  { state, channel, failureReason, createdFrom, createdBefore, before }: OutgoingFilter,
  limit: number,
): Promise<OutgoingMessage[]> {
  const isFailed = state === 'failed';
  const from = isFailed
    ? 'messages m cross join (values (null::timestamptz, null::int)) w (not_before, attempts)'
    : `(${waiting}) w join messages m on m.id = w.id`;
  const { text, bindings } = allOf([
    isFailed ? [`m.sms_delivery_status = 'failed'`] : undefined,
    ifGiven('c.channel = ?', channel),
    ifGiven('m.sms_delivery_failure_reason = ?', failureReason),
    ifGiven('m.created_at >= ?', createdFrom),
    ifGiven('m.created_at < ?', createdBefore),
    ifGiven('m.id < ?', before),
  ]);
  return statement<OutgoingMessage>(
    tx,
    `select m.id, m.uuid, m.chat_id as "chatId", c.channel as "chatChannel",
       c.member_id as "memberId", n.name as "memberName", m.author, m.member_id as "authorMemberId",
       m.created_at as "createdAt", m.sms_delivery_failure_reason as "failureReason",
       m.sms_delivery_error_code as "errorCode", w.not_before as "notBefore", w.attempts,
       ${shownText} as text
     from ${from} join chats c on c.id = m.chat_id left join members n on n.id = c.member_id
     where ${text} order by m.id desc limit ?`,
    [...bindings, limit],
  );
}
