import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { type CallStatus, PhoneCallModel, type PhoneCallRow } from './models/phone-call.js';

/** The latest call of a chat, and how many calls the workspace has made in it. */
export interface CallOfChat {
  inbound: boolean;
  status: CallStatus;
  terminationReason: string | null;
  outboundCalls: number;
}

export async function findLatestCallOfChat(tx: Tx, chatId: number): Promise<CallOfChat | undefined> {
  const [found] = await prepared<CallOfChat>(
    tx,
    `select inbound, status, termination_reason as "terminationReason",
       (select count(*)::int from phone_calls o where o.chat_id = c.chat_id and not o.inbound) as "outboundCalls"
     from phone_calls c where chat_id = ? order by id desc limit 1`,
    [chatId],
  );
  return found;
}

/** Lists calls of a chat whose state has changed after one revision and up to another, in the order of the changes. */
export async function selectCallChanges(
  tx: Tx,
  chatId: number,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<PhoneCallRow[]> {
  const condition = 'chat_id = ? and revision > ? and revision <= ? order by revision, id limit ?';
  return PhoneCallModel.where(tx, condition, [chatId, after, upTo, limit]);
}

/** What the answered calls of a chat have used that have ended. */
export interface UsageOfCalls {
  calls: number;
  durationSeconds: number;
  /** What the carrier has counted more than was measured here. */
  durationDifference: number;
  /** Of the models that spoke in them. */
  credits: number;
}

export async function usageOfCalls(tx: Tx, chatId: number): Promise<UsageOfCalls> {
  const [found] = await prepared<UsageOfCalls>(
    tx,
    `select count(*)::int as calls, coalesce(sum(duration_seconds), 0)::int as "durationSeconds",
       coalesce(sum(duration_seconds - measured_seconds) filter (where carrier_status is not null), 0)::int
         as "durationDifference",
       coalesce(sum(credits), 0) as credits
     from phone_calls where chat_id = ? and started_at is not null and finished_at is not null`,
    [chatId],
  );
  return found ?? { calls: 0, durationSeconds: 0, durationDifference: 0, credits: 0 };
}

/** What the carrier charges for calls, in one currency. */
export interface CallCosts {
  currency: string;
  price: number;
  /** Of the calls for which a price was expected; null without any. */
  costDifference: number | null;
}

export async function costsOfCalls(tx: Tx, chatId: number): Promise<CallCosts[]> {
  return prepared<CallCosts>(
    tx,
    `select price_unit as currency, sum(price) as price, sum(price - expected_price) as "costDifference"
     from phone_calls where chat_id = ? and price is not null and price_unit is not null
     group by price_unit order by price_unit limit 20`,
    [chatId],
  );
}

/** The calls that a task has placed since it was entered. */
export interface CallsOfTask {
  attempts: number;
  /** Whether a person has answered one of them. */
  answered: boolean;
  /** When the latest ended; null while one is up, or before the first. */
  endedAt: Date | null;
}

export async function readCallsOfTask(tx: Tx, assignmentTaskId: number, since: Date): Promise<CallsOfTask> {
  const [found] = await prepared<CallsOfTask>(
    tx,
    `select count(*)::int as attempts,
       coalesce(bool_or(started_at is not null
         and termination_reason is distinct from 'voicemail' and termination_reason is distinct from 'amd_unknown'),
         false) as answered,
       case when bool_or(finished_at is null) then null else max(finished_at) end as "endedAt"
     from phone_calls where assignment_task_id = ? and created_at >= ?`,
    [assignmentTaskId, since],
  );
  return found ?? { attempts: 0, answered: false, endedAt: null };
}
