import { markOutbox } from '../outbox.js';
import { executorOf } from '../pool/query-builder.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { insertRunsOfDeliveries } from './start-webhook-deliveries.js';

export interface EventToStore {
  uuid: string;
  eventType: string;
  /** A JSON object with at least one member: the part of the body that follows the members common to all events. */
  payload: string;
  dataRecordId: number | null;
  /** The member that the event is about, whose erasure deletes it. */
  memberId: number | null;
}

/** The event types for which the workspace has a rule, enabled or not, when the transaction entered it. */
export async function subscribedEventTypes(tx: Tx): Promise<ReadonlySet<string>> {
  const executor = executorOf(tx);
  // Without it, no event would be stored, and nobody told.
  if (executor.eventTypes === undefined) throw new Error('events are written in a transaction');
  return new Set(await executor.eventTypes());
}

/**
 * Stores events with a delivery for each enabled rule of their type and the outbox entries of the runs, in one
 * statement (docs/decisions/0050-events.md).
 */
export async function insertEvents(tx: Tx, events: readonly EventToStore[], createdAt: Date): Promise<void> {
  const found = await prepared(
    tx,
    `with stored as (${insertStored}),
     deliveries as (
       insert into webhook_deliveries
         (workspace_id, event_rule_id, event_id, event_type, trigger, next_attempt_at, created_at)
       select s.workspace_id, r.id, s.id, s.event_type, 'event', s.created_at, s.created_at
       from stored s
       join event_rules r
         on r.workspace_id = ? and r.event_type = s.event_type and r.enabled and r.deleted_at is null
       order by s.id, r.id
       returning id, uuid, event_rule_id, event_type, workspace_id
     ),
     runs as (${insertRunsOfDeliveries})
     select 1 from deliveries limit 1`,
    [...bindingsOf(tx, events, createdAt, false), tx.workspaceId, tx.workspaceId],
  );
  if (found.length > 0) markOutbox(tx);
}

/** Stores a sample event, for which no rule is matched, and returns its id. */
export async function insertSampleEvent(tx: Tx, event: EventToStore, createdAt: Date): Promise<number> {
  const [stored] = await prepared<{ id: number }>(tx, insertStored, bindingsOf(tx, [event], createdAt, true));
  if (stored === undefined) throw new Error('the event was not stored');
  return stored.id;
}

// Bodies begin with the members that every event has, in the same order. The workspace is read by a subquery, because
// PostgreSQL would plan a join with it again for each execution.
const insertStored = `insert into events (workspace_id, uuid, event_type, body, data_record_id, member_id, created_at, is_test)
     select ?, e.uuid, e.event_type,
       format('{"event":%s,"id":"%s","createdAt":"%s","workspaceUuid":"%s",%s',
         to_json(e.event_type), e.uuid, ?::text, (select uuid from identity.workspaces where id = ?),
         substr(e.payload, 2)),
       e.data_record_id, e.member_id, ?, ?
     from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::bigint[]) with ordinality
       as e (uuid, event_type, payload, data_record_id, member_id, place)
     order by e.place
     returning id, event_type, workspace_id, created_at`;

function bindingsOf(tx: Tx, events: readonly EventToStore[], createdAt: Date, isTest: boolean): unknown[] {
  return [
    tx.workspaceId,
    createdAt.toISOString(),
    tx.workspaceId,
    createdAt,
    isTest,
    events.map(({ uuid }) => uuid),
    events.map(({ eventType }) => eventType),
    events.map(({ payload }) => payload),
    events.map(({ dataRecordId }) => dataRecordId),
    events.map(({ memberId }) => memberId),
  ];
}
