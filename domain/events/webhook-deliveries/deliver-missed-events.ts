import {
  countPendingDeliveries,
  forgetMissedTime,
  selectMissedEvents,
} from '../../../db/events/missed-events.js';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import type { CommandContext } from '../../kernel/context.js';
import { storedWithinMs } from '../../kernel/events/write-events.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';
import { keptForMs } from './forget-old-events.js';
import { maxRedelivered, redeliverAlone, requireEnabled, requirePeriod } from './redeliver-failed-events.js';

/** An hour less than events are kept, so that none is deleted while it is queued. */
const deliverableForMs = keptForMs - 3_600_000;

/**
 * Delivers the events that happened from `since` (inclusive) to `until` (exclusive) while a rule was disabled, oldest
 * first and each once, until `maxPending` deliveries of the rule are pending. `more`: missed events are left.
 * @throws NotFound, Conflict, InvalidInput
 */
export async function deliverMissedEvents(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  { since, until }: { since?: Date | undefined; until?: Date | undefined },
  maxPending = maxRedelivered,
): Promise<{ queued: number; more: boolean }> {
  actor.require('event_rules:write');
  requirePeriod(since, until);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await redeliverAlone(tx, eventRuleId);
    const rule = await requireEventRule(tx, eventRuleId);
    requireEnabled(rule);

    const now = clock.now();
    const nowMs = now.getTime();
    const from = new Date(Math.max(since?.getTime() ?? 0, nowMs - deliverableForMs));
    const room = maxPending - (await countPendingDeliveries(tx, eventRuleId, maxPending));
    const missed = await selectMissedEvents(tx, rule, { from, before: until }, room + 1);
    const started = await startWebhookDeliveries(tx, {
      eventRuleId,
      eventIds: missed.slice(0, room).map(({ id }) => id),
      trigger: 'missed',
      requestedByMemberId: actor.memberId,
      now,
    });
    // The last statement, because it locks the rule and attempts at its deliveries wait for that lock.
    const next = missed[room];
    const leftFrom = next?.createdAt ?? until;
    const before = new Date(Math.min(leftFrom?.getTime() ?? nowMs, nowMs - storedWithinMs));
    await forgetMissedTime(tx, eventRuleId, { from: since, before });
    return { queued: started.length, more: next !== undefined };
  });
}
