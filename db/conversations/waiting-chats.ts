import { type QueryBuilder, raw } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type ChatFilter, filteredChats } from './chat-lists.js';
import type { Channel, ChatModel, ChatRow } from './models/chat.js';
import type { MessageAuthor, MessageRole } from './models/message.js';

/**
 * Which of the chats that wait: those without a claim or snooze, those with a claim, those that one member has
 * claimed, those that are snoozed, or all.
 */
export type QueueState = 'open' | 'claimed' | 'mine' | 'snoozed' | 'all';

export type WaitingSortField = 'waitingSince' | 'lastMessageReceivedAt' | 'createdAt' | 'updatedAt';

/** The place of a chat in the order of waiting. */
export interface QueuePlace {
  since: Date;
  id: number;
}

interface WaitingFilter extends Omit<ChatFilter, 'needsResponse' | 'archived' | 'muted'> {
  state: QueueState;
  /** Whose chats `mine` are. */
  claimedBy: number;
  now: Date;
  /** Only chats behind this place, in the direction of the page. */
  after?: QueuePlace | undefined;
}

const sortColumns: Record<WaitingSortField, string> = {
  waitingSince: 'needs_response_since',
  lastMessageReceivedAt: 'last_message_received_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Selects a page of the chats that wait for a person; archived and muted ones are left out. */
export async function selectWaitingChats(
  tx: Tx,
  { state, claimedBy, now, after, ...filter }: WaitingFilter,
  page: PageRequest<WaitingSortField>,
): Promise<PageOf<ChatRow>> {
  const query = filteredChats(tx, { ...filter, needsResponse: true, archived: false, muted: false });
  limitToState(query, state, claimedBy, now);
  if (after !== undefined) {
    const beyond = page.sortOrder === 'asc' ? '>' : '<';
    query.whereRaw(`(needs_response_since, id) ${beyond} (?, ?)`, [after.since, after.id]);
  }
  const neverNull = page.sortBy !== 'lastMessageReceivedAt';
  return readPage(query, page, sortColumns[page.sortBy], 'id', { neverNull });
}

/** A claim and a snooze end by the clock: nothing has to happen for the chat to be open again. */
function limitToState(query: QueryBuilder<ChatModel>, state: QueueState, claimedBy: number, now: Date): void {
  const claimed = raw('coalesce(claimed_until > ?, false)', [now]);
  const snoozed = raw('(snoozed_at is not null and coalesce(snoozed_until > ?, true))', [now]);
  if (state === 'open') query.whereRaw('not ? and not ?', [claimed, snoozed]);
  if (state === 'claimed' || state === 'mine') query.whereRaw('?', [claimed]);
  if (state === 'mine') query.where('claimed_by_member_id', claimedBy);
  if (state === 'snoozed') query.whereRaw('?', [snoozed]);
}

/** Chats that wait, by what a queue tells of them. */
export interface QueueCount {
  reason: string | null;
  channel: Channel;
  age: 'hour' | 'day' | 'week' | 'older';
  count: number;
  oldest: Date;
}

const hourMs = 3_600_000;

/** Counts the chats that wait in a state, by reason, channel and how long they have waited. */
export async function countWaitingChats(
  tx: Tx,
  { state, claimedBy, now }: Pick<WaitingFilter, 'state' | 'claimedBy' | 'now'>,
): Promise<QueueCount[]> {
  const query = filteredChats(tx, { needsResponse: true, archived: false, muted: false });
  limitToState(query, state, claimedBy, now);
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const age = raw(
    `case when needs_response_since > ? then 'hour' when needs_response_since > ? then 'day'
       when needs_response_since > ? then 'week' else 'older' end`,
    [before(1), before(24), before(7 * 24)],
  );
  const rows = await query
    .clearSelect()
    .select('needs_response_reason as reason', 'channel', age.as('age'))
    .count('* as count')
    .min('needs_response_since as oldest')
    .groupByRaw('1, 2, 3');
  return rows.map((row) => toRow(row) as unknown as QueueCount);
}

/** The last words in a chat, of anyone, without notes and tool traffic. */
export interface LastMessage {
  chatId: number;
  uuid: string;
  role: MessageRole;
  author: MessageAuthor | null;
  memberId: number | null;
  /** Plain text, cut. */
  text: string;
  createdAt: Date;
}

/** So many characters of a message are shown in a list. */
export const shownCharacters = 500;

/** SQL: the text of a message `m` as lists show it, plain and cut. */
export const shownText = `left(coalesce(case jsonb_typeof(m.content)
    when 'string' then m.content #>> '{}'
    when 'array' then (select string_agg(part ->> 'text', E'\\n') from jsonb_array_elements(m.content) as part
      where part ->> 'type' = 'text')
  end, ''), ${shownCharacters})`;

/** Reads the last message of each of these chats. */
export async function lastMessagesOf(tx: Tx, chatIds: readonly number[]): Promise<LastMessage[]> {
  return prepared<LastMessage>(
    tx,
    `select wanted.id as "chatId", m.uuid, m.role, m.author, m.member_id as "memberId", m.created_at as "createdAt",
       ${shownText} as text
     from unnest(?::bigint[]) as wanted (id)
     cross join lateral (
       select * from messages where chat_id = wanted.id and sub_conversation_of is null
         and role in ('user', 'assistant') and content is not null
       order by id desc limit 1
     ) m`,
    [chatIds],
  );
}
