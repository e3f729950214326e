import { allOf } from '../lib/conditions.js';
import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { type ChatFilter, filteredChats, sqlOf } from './chat-lists.js';

/** Moments at which days begin, with their names. */
export interface CountedDays {
  dates: readonly string[];
  begins: readonly Date[];
  ends: Date;
}

/** Of a day, or of all of them (`date` is null). Waits are those that began then. */
export interface WaitFigures {
  date: string | null;
  waits: number;
  answered: number;
  /** In seconds; null: none was answered. */
  median: number | null;
  p90: number | null;
  longest: number | null;
}

/** What members wrote, and what agents and colleagues answered in writing. The index messages_answers has these alone. */
const written = `m.sub_conversation_of is null and m.call_id is null and m.sms_keyword is null
  and (m.role = 'user' or m.role = 'assistant' and m.author in ('agent', 'person') and m.content is not null)`;

const day = '(?::text[])[width_bucket(created_at, ?::timestamptz[])]';
const daysOf = ({ dates, begins }: CountedDays) => [[...dates], [...begins]];

/**
 * Tells how long members waited for an answer: from the first message that they wrote after the last answer, to the next
 * answer, which may come after the days that are asked for. The offset has the messages of the days read, not those of all
 * chats in their order.
 */
export async function selectWaitFigures(
  tx: Tx,
  filter: ChatFilter,
  days: CountedDays,
): Promise<WaitFigures[]> {
  const { text, bindings } = writtenIn(tx, filter, days);
  return statement(
    tx,
    `with said as (select m.chat_id, m.id, m.created_at, m.role = 'user' as asks from ${text} offset 0),
     turns as (select *, lag(asks) over (partition by chat_id order by id) as after_asking from said),
     changes as (
       select *, lead(created_at) over (partition by chat_id order by id) as answered_at
       from turns where after_asking is distinct from asks
     ),
     waits as (
       select change.created_at, coalesce(change.answered_at, later.created_at) as answered_at from changes change
       left join lateral (
         select m.role = 'user' as asks from messages m
         where change.after_asking is null and m.chat_id = change.chat_id and m.id < change.id and ${written}
         order by m.id desc limit 1
       ) earlier on true
       left join lateral (
         select m.created_at from messages m
         where change.answered_at is null and m.chat_id = change.chat_id and m.id > change.id
           and m.role = 'assistant' and ${written}
         order by m.id limit 1
       ) later on true
       where change.asks and earlier.asks is not true
     ),
     lengths as (
       select ${day} as date, extract(epoch from answered_at - least(answered_at, created_at))::float8 as seconds from waits
     )
     select date, count(*)::integer as waits, count(seconds)::integer as answered,
       percentile_disc(0.5) within group (order by seconds) as median,
       percentile_disc(0.9) within group (order by seconds) as p90, max(seconds) as longest
     from lengths group by grouping sets ((date), ())`,
    [...bindings, ...daysOf(days)],
  );
}

export interface AnswerCount {
  date: string;
  author: 'agent' | 'person';
  count: number;
}

/** Counts the messages that answered members, by day and author. */
export async function countAnswersByDay(
  tx: Tx,
  filter: ChatFilter,
  days: CountedDays,
): Promise<AnswerCount[]> {
  const { text, bindings } = writtenIn(tx, filter, days);
  return statement(
    tx,
    `select ${day} as date, author, count(*)::integer as count
     from (select m.created_at, m.author from ${text} and m.role = 'assistant') answers group by 1, 2`,
    [...daysOf(days), ...bindings],
  );
}

/** The messages of the days, for a `from`. */
function writtenIn(tx: Tx, filter: ChatFilter, { begins, ends }: CountedDays) {
  const chats = sqlOf(filteredChats(tx, filter).select('id'));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { text, bindings } = allOf([
    ['m.created_at >= ?', begins[0]],
    ['m.created_at < ?', ends],
    [written],
    isFiltered ? [`m.chat_id in (${chats.text})`, ...chats.bindings] : undefined,
  ]);
  return { text: `messages m where ${text}`, bindings };
}

export interface FailureCount {
  /** A code of `domain/channels/deliveries/failure-reasons.ts`; null where none is known. */
  reason: string | null;
  count: number;
}

/** Counts the messages that did not arrive by reason, the most frequent first. */
export async function countFailuresByReason(
  tx: Tx,
  { begins, ends }: Pick<CountedDays, 'begins' | 'ends'>,
): Promise<FailureCount[]> {
  return statement(
    tx,
    `select sms_delivery_failure_reason as reason, count(*)::integer as count from messages
     where sms_delivery_status = 'failed' and created_at >= ? and created_at < ? group by 1 order by 2 desc, 1`,
    [begins[0], ends],
  );
}
