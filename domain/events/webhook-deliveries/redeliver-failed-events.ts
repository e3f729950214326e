import type { EventRuleRow } from '../../../db/events/event-rules.js';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import { holdDeliveries, selectFailedDeliveries } from '../../../db/events/webhook-redeliveries.js';
import { lockSubject } from '../../../db/lock-subject.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { requireEventRule } from '../event-rules/event-rule-details.js';

/** Limit per call; the caller repeats the call for the rest. */
export const maxRedelivered = 10_000;

/**
 * Redelivers the events whose latest delivery by the rule failed and was created from `since` (inclusive) to `until`
 * (exclusive), oldest first, without tests. `more`: some are left.
 * @throws NotFound, Conflict, InvalidInput
 */
export async function redeliverFailedEvents(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  { since, until }: { since: Date; until?: Date | undefined },
  most = maxRedelivered,
): Promise<{ redelivered: number; more: boolean }> {
  actor.require('event_rules:write');
  requirePeriod(since, until);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await redeliverAlone(tx, eventRuleId);
    requireEnabled(await requireEventRule(tx, eventRuleId));
    const failed = await selectFailedDeliveries(tx, eventRuleId, { since, until }, most + 1);
    const held = await holdDeliveries(tx, failed.slice(0, most));
    const started = await startWebhookDeliveries(tx, {
      eventRuleId,
      eventIds: held.map(({ eventId }) => eventId),
      trigger: 'redelivery',
      requestedByMemberId: actor.memberId,
      now: clock.now(),
    });
    return { redelivered: started.length, more: failed.length > most };
  });
}

/**
 * Serializes redeliveries of a rule's events until the transaction ends. Does not lock the rule itself: attempts would
 * wait for the lock, while this transaction may wait for a data record whose deletion waits for one of them.
 */
export async function redeliverAlone(tx: Tx, eventRuleId: number): Promise<void> {
  await lockSubject(tx, `redeliveries of event rule ${eventRuleId}`);
}

/** @throws Conflict if the rule is disabled */
export function requireEnabled({ enabled }: Pick<EventRuleRow, 'enabled'>): void {
  if (!enabled) throw new Conflict('rule_disabled', 'The event rule is disabled. Enable it first.');
}

/** @throws InvalidInput unless `until`, if given, is after `since` */
export function requirePeriod(since: Date | undefined, until: Date | undefined): void {
  if (since && until && until <= since) {
    throw InvalidInput.field('/createdBefore', 'must be after createdFrom');
  }
}
