import { queryInIndexOrderPrepared } from '../lib/index-order.js';
import type { Tx } from '../tx.js';

/** Counts end here: what is beyond it is not looked at, so that the cost does not depend on the number of rows. */
export const mostCounted = 1_000;

/** Chats that wait for a person: of those that have waited longest. */
export interface WaitingOverview {
  total: number;
  open: number;
  mine: number;
  claimedByOthers: number;
  snoozed: number;
  oldestWaitingSince: Date | null;
}

export async function countQueueForMember(tx: Tx, memberId: number, now: Date): Promise<WaitingOverview> {
  return one(
    tx,
    `with waiting as (
       select needs_response_since as since, coalesce(claimed_until > ?, false) as claimed,
         claimed_by_member_id = ? as own, snoozed_at is not null and coalesce(snoozed_until > ?, true) as snoozed
       from chats where needs_response and not archived and not muted
       order by needs_response_since, id limit ${mostCounted}
     )
     select count(*)::integer as total, min(since) as "oldestWaitingSince",
       count(*) filter (where not claimed and not snoozed)::integer as open,
       count(*) filter (where claimed and own)::integer as mine,
       count(*) filter (where claimed and own is not true)::integer as "claimedByOthers",
       count(*) filter (where snoozed)::integer as snoozed
     from waiting`,
    [now, memberId, now],
  );
}

/** `failedMessages` were written since a time. */
export async function countCallsAndFailures(
  tx: Tx,
  since: Date,
): Promise<{ runningPhoneCalls: number; failedMessages: number }> {
  return one(
    tx,
    `select (select count(*) from (select from phone_calls where finished_at is null limit ${mostCounted}) running)::integer
         as "runningPhoneCalls",
       (select count(*) from (
         select created_at from messages where sms_delivery_status = 'failed' order by id desc limit ${mostCounted}
       ) failed where created_at > ?)::integer as "failedMessages"`,
    [since],
  );
}

/** `standing`: of the oldest of them. */
export async function countActiveAssignments(tx: Tx): Promise<{ active: number; standing: number }> {
  return one(
    tx,
    `with active as materialized (
       select chat_id from assignments where status = 'active' order by id limit ${mostCounted}
     )
     select count(*)::integer as active, count(chat.standing_reason)::integer as standing
     from active join chats chat on chat.id = active.chat_id`,
    [],
  );
}

export async function countEventTroubles(
  tx: Tx,
): Promise<{ failingEventRules: number; waitingDeliveries: number }> {
  return one(
    tx,
    `select (select count(*) from event_rules where deleted_at is null and failing_since is not null)::integer
         as "failingEventRules",
       (select count(*) from (select from webhook_deliveries where status = 'pending' limit ${mostCounted}) waiting)::integer
         as "waitingDeliveries"`,
    [],
  );
}

export async function countHeldWorkflows(tx: Tx): Promise<{ heldWorkflows: number }> {
  return one(
    tx,
    `select count(*)::integer as "heldWorkflows"
     from (select from workflow_definitions where held_at is not null limit ${mostCounted}) held`,
    [],
  );
}

async function one<Row>(tx: Tx, text: string, bindings: readonly unknown[]): Promise<Row> {
  const [row] = await queryInIndexOrderPrepared<Row>(tx, { text, bindings });
  if (row === undefined) throw new Error('a count has one row');
  return row;
}
