import { markOutbox } from '../outbox.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

interface DeliveriesToStart {
  /** A rule that the caller has found in this workspace. */
  eventRuleId: number;
  eventIds: readonly number[];
  trigger: 'redelivery' | 'test' | 'missed';
  requestedByMemberId: number | null;
  now: Date;
}

type StartedDelivery = { id: number; uuid: string; eventId: number };

/**
 * Creates a delivery by a rule for each of these events, in their order, and the outbox entries of their runs, in one
 * statement. Skips events that are gone, events of data records that are being deleted (the records are locked first),
 * and missed events that the rule has queued before.
 */
export async function startWebhookDeliveries(
  tx: Tx,
  { eventRuleId, eventIds, trigger, requestedByMemberId, now }: DeliveriesToStart,
): Promise<StartedDelivery[]> {
  const started = await prepared<StartedDelivery>(
    tx,
    `with held as materialized (
       select id from data_records
       where id = any(array(select data_record_id from events where id = any(?::bigint[])))
       order by id for key share
     ),
     deliveries as (
       insert into webhook_deliveries (workspace_id, event_rule_id, event_id, event_type, trigger,
         requested_by_member_id, next_attempt_at, created_at)
       select e.workspace_id, ?, e.id, e.event_type, ?, ?, ?, ?
       from events e left join held on held.id = e.data_record_id
       where e.id = any(?::bigint[]) and (e.data_record_id is null or held.id is not null)
       order by e.id
       on conflict (workspace_id, event_rule_id, event_id) where trigger = 'missed' do nothing
       returning id, uuid, event_id, event_rule_id, event_type, workspace_id
     ),
     runs as (${insertRunsOfDeliveries})
     select id, uuid, event_id as "eventId" from deliveries order by id`,
    [eventIds, eventRuleId, trigger, requestedByMemberId, now, now, eventIds, tx.workspaceId],
  );
  if (started.length > 0) markOutbox(tx);
  return started;
}

/**
 * Part of a statement that writes the outbox entries for the runs of new webhook deliveries, which the part
 * `deliveries` returns before. The input is `WebhookRunInput` (workflows/contracts/runs.ts).
 */
export const insertRunsOfDeliveries = `insert into outbox (workspace_id, run_type, subject, action, input)
     select d.workspace_id, 'deliverWebhook', d.uuid, 'start',
       jsonb_build_object('deliveryId', d.id, 'ruleId', d.event_rule_id, 'eventType', d.event_type,
         'workspaceId', d.workspace_id, 'workspaceUuid', (select uuid from identity.workspaces where id = ?))
     from deliveries d`;
