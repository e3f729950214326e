import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type ChatFilter, filteredChats } from './chat-lists.js';
import type { Channel, ChatRow } from './models/chat.js';
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
  const inState = stateOf(state, claimedBy, now);
  query.whereRaw(inState.condition, inState.bindings);
  if (after !== undefined) {
    const beyond = page.sortOrder === 'asc' ? '>' : '<';
    query.whereRaw(`(needs_response_since, id) ${beyond} (?, ?)`, [after.since, after.id]);
  }
  const neverNull = page.sortBy !== 'lastMessageReceivedAt';
  return readPage(query, page, sortColumns[page.sortBy], 'id', { neverNull });
}

const claimed = 'coalesce(claimed_until > ?, false)';
const snoozed = '(snoozed_at is not null and coalesce(snoozed_until > ?, true))';

/** A claim and a snooze end by the clock: nothing has to happen for the chat to be open again. */
function stateOf(
  state: QueueState,
  claimedBy: number,
  now: Date,
): { condition: string; bindings: (Date | number)[] } {
  switch (state) {
    case 'open':
      return { condition: `not ${claimed} and not ${snoozed}`, bindings: [now, now] };
    case 'claimed':
      return { condition: claimed, bindings: [now] };
    case 'mine':
      return { condition: `${claimed} and claimed_by_member_id = ?`, bindings: [now, claimedBy] };
    case 'snoozed':
      return { condition: snoozed, bindings: [now] };
    case 'all':
      return { condition: 'true', bindings: [] };
  }
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
  const { condition, bindings } = stateOf(state, claimedBy, now);
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs);
  return prepared<QueueCount>(
    tx,
    `select needs_response_reason as reason, channel,
       case when needs_response_since > ? then 'hour' when needs_response_since > ? then 'day'
         when needs_response_since > ? then 'week' else 'older' end as age,
       count(*) as count, min(needs_response_since) as oldest
     from chats where not archived and not muted and needs_response and ${condition}
     group by 1, 2, 3`,
    [before(1), before(24), before(7 * 24), ...bindings],
  );
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
