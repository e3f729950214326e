import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { SenderPaceModel } from './models/sender-pace.js';

interface WantedSlot {
  sender: string;
  now: Date;
  /** How long the message takes at the sender's pace. */
  seconds: number;
  /** How far the sender may be ahead of its pace. */
  aheadSeconds: number;
  /** When the message expires. */
  latest: Date;
  /** The message had a slot, and has missed it. */
  isLate: boolean;
}

/** Those that have missed their slots have an order of their own, which begins now and not after all other slots. */
const taking = (cursor: 'next_at' | 'late_at') => `
  insert into sender_paces as pace (workspace_id, sender, next_at, late_at)
  values (?, ?, ?::timestamptz${cursor === 'next_at' ? ' + make_interval(secs => ?)' : ''},
    ${cursor === 'late_at' ? '?::timestamptz + make_interval(secs => ?)' : 'null'})
  on conflict (workspace_id, sender) do update
  set ${cursor} = greatest(pace.${cursor}, pace.paused_until, ?::timestamptz) + make_interval(secs => ?)
  where greatest(pace.${cursor}, pace.paused_until, ?::timestamptz) <= ?::timestamptz
  returning ${cursor} - make_interval(secs => ?) as "slotAt"`;
const takingNext = taking('next_at');
const takingLate = taking('late_at');

/**
 * Takes the next slot of a sender and returns when it is, at once or later; undefined if it would be later than `latest`.
 * One statement, which locks the row of the sender: the transaction ends after it.
 */
export async function takeSlot(
  tx: Tx,
  { sender, now, seconds, aheadSeconds, latest, isLate }: WantedSlot,
): Promise<Date | undefined> {
  const earliest = new Date(now.getTime() - aheadSeconds * 1_000);
  const inserted = isLate ? [earliest, earliest, seconds] : [earliest, seconds];
  const [taken] = await prepared<{ slotAt: Date }>(tx, isLate ? takingLate : takingNext, [
    ...[tx.workspaceId, sender, ...inserted],
    ...[earliest, seconds, earliest, latest, seconds],
  ]);
  return taken?.slotAt;
}

interface SentAnswer extends Pick<WantedSlot, 'sender' | 'now'> {
  segments: number;
  /** How many segments a sender may be ahead of its pace; at least those of a second. */
  segmentsAtOnce: number;
  defaultPerSecond: number;
  /** By how much answers delay the next slot at most: a sender that only answers must not owe hours. */
  maxSeconds: number;
}

/**
 * Counts an answer, so that later slots are later; not while another transaction takes a slot, for which no answer waits. A
 * sender that has begun no exchange has no row, and nothing is written.
 */
export async function countAnswerOf(
  tx: Tx,
  { sender, now, segments, segmentsAtOnce, defaultPerSecond, maxSeconds }: SentAnswer,
): Promise<void> {
  await prepared(
    tx,
    `update sender_paces as pace
     set next_at = greatest(pace.next_at, least(
       greatest(pace.next_at, ?::timestamptz - make_interval(secs => greatest(?::float8 / mine.per_second, 1)))
         + make_interval(secs => ?::float8 / mine.per_second),
       ?::timestamptz + make_interval(secs => ?)
     ))
     from (
       select id, coalesce((select segments_per_second from phone_numbers where number = sender), ?::float8) as per_second
       from sender_paces where sender = ? for update skip locked
     ) as mine
     where pace.id = mine.id`,
    [now, segmentsAtOnce, segments, now, maxSeconds, defaultPerSecond, sender],
  );
}

/** Lets a sender begin no exchange before a time. An earlier pause that is longer stays. */
export async function pauseSender(tx: Tx, sender: string, until: Date): Promise<void> {
  await prepared(
    tx,
    `insert into sender_paces as pace (workspace_id, sender, next_at, paused_until)
     values (?, ?, ?::timestamptz, ?::timestamptz)
     on conflict (workspace_id, sender) do update set paused_until = greatest(pace.paused_until, excluded.paused_until)`,
    [tx.workspaceId, sender, until, until],
  );
}

export async function isSenderPaused(tx: Tx, sender: string, now: Date): Promise<boolean> {
  return SenderPaceModel.exists(tx, 'sender = ? and paused_until > ?', [sender, now]);
}
