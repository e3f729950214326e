import { findLease } from '../../../db/events/webhook-claims.js';
import { lockWebhookDelivery, scheduleAttempt } from '../../../db/events/webhook-deliveries.js';
import {
  findWebhookDelivery,
  type WebhookDeliveryDetails,
} from '../../../db/events/webhook-delivery-lists.js';
import { attemptPending, endProbationPause } from '../../../db/events/webhook-retries.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeWebhookRun } from '../../kernel/runs.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';
import { requireEnabled } from './redeliver-failed-events.js';

/**
 * Has a pending delivery attempted now instead of at its next time: an attempt as any other, which its schedule counts. One
 * that is under way is the attempt that is asked for.
 * @throws NotFound, Conflict `delivery_completed` or `rule_disabled`
 */
export async function attemptDeliveryNow(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  id: number,
): Promise<WebhookDeliveryDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const rule = await requireEventRule(tx, eventRuleId);
    const delivery = await lockWebhookDelivery(tx, id);
    if (delivery?.eventRuleId !== eventRuleId) throw new NotFound('Delivery');
    if (delivery.status !== 'pending') {
      throw new Conflict('delivery_completed', `The delivery is ${delivery.status}.`);
    }
    if (delivery.trigger !== 'test') requireEnabled(rule);
    const now = clock.now();
    if ((await findLease(tx, id, now)) === undefined) {
      await endProbationPause(tx, eventRuleId);
      await scheduleAttempt(tx, id, { at: now });
      await pokeWebhookRun(tx, delivery);
    }
    const found = await findWebhookDelivery(tx, eventRuleId, id);
    if (found === undefined) throw new NotFound('Delivery');
    return found;
  });
}

/** Limit per call; the caller repeats the call for the rest. */
export const maxAttempted = 10_000;

/**
 * Has the pending deliveries of a rule attempted now that wait for their next attempt, oldest first, without tests. `more`:
 * some are left. @throws NotFound, Conflict `rule_disabled`
 */
export async function attemptPendingNow(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  most = maxAttempted,
): Promise<{ attempted: number; more: boolean }> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    requireEnabled(await requireEventRule(tx, eventRuleId));
    await endProbationPause(tx, eventRuleId);
    const attempted = await attemptPending(tx, eventRuleId, { now: clock.now(), most });
    return { attempted, more: attempted === most };
  });
}
