import { markOutbox } from '../outbox.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** Has the host of a rule's receiver asked at once, although it has never answered and pauses. */
export async function endProbationPause(tx: Tx, eventRuleId: number): Promise<void> {
  await prepared(
    tx,
    `update webhook_hosts h set next_try_at = null
     from event_rules r join webhook_endpoints e on e.id = r.webhook_endpoint_id
     where r.id = ? and h.id = e.webhook_host_id and h.next_try_at is not null`,
    [eventRuleId],
  );
}

/**
 * Brings the next attempt of a rule's pending deliveries forward to now, oldest first, and pokes their runs, in one
 * statement. Tests, and deliveries that are locked, because they are being attempted, are left out. @returns how many
 */
export async function attemptPending(
  tx: Tx,
  eventRuleId: number,
  { now, most }: { now: Date; most: number },
): Promise<number> {
  const poked = await prepared(
    tx,
    `with waiting as (
       select id from webhook_deliveries
       where event_rule_id = ? and status = 'pending' and trigger <> 'test' and next_attempt_at > ?
       order by created_at, id limit ? for no key update skip locked
     ),
     deliveries as (
       update webhook_deliveries d set next_attempt_at = ? from waiting where d.id = waiting.id
       returning d.id, d.uuid, d.event_rule_id, d.event_type, d.workspace_id
     )
     insert into outbox (workspace_id, run_type, subject, action, woken, input)
     select d.workspace_id, 'deliverWebhook', d.uuid, 'poke', true,
       jsonb_build_object('deliveryId', d.id, 'ruleId', d.event_rule_id, 'eventType', d.event_type,
         'workspaceId', d.workspace_id, 'workspaceUuid', (select uuid from identity.workspaces where id = ?))
     from deliveries d order by d.id
     returning id`,
    [eventRuleId, now, most, now, tx.workspaceId],
  );
  if (poked.length > 0) markOutbox(tx);
  return poked.length;
}
