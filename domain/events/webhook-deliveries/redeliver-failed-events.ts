import { findEventRule } from '../../../db/events/event-rules.js';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import { holdDeliveries, listFailedDeliveries } from '../../../db/events/webhook-redeliveries.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { redeliverAlone, requireEnabled } from './redeliver-alone.js';

/** Limit per call; the caller repeats the call for the rest. */
export const mostRedelivered = 10_000;

/**
 * Redelivers the events whose latest delivery by the rule failed and was created from `since` (inclusive) to `until`
 * (exclusive), oldest first, without tests.
 *
 * @returns the number of redelivered events, and whether more are left
 * @throws NotFound, Conflict, InvalidInput
 */
export async function redeliverFailedEvents(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  { since, until }: { since: Date; until?: Date },
  most = mostRedelivered,
): Promise<{ redelivered: number; more: boolean }> {
  actor.require('event_rules:write');
  if (until !== undefined && until <= since) throw InvalidInput.field('/until', 'It must be after since.');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await redeliverAlone(tx, eventRuleId);
    const rule = await findEventRule(tx, eventRuleId);
    if (rule === undefined) throw new NotFound('Event rule');
    requireEnabled(rule);
    const failed = await listFailedDeliveries(tx, eventRuleId, { since, until }, most + 1);
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
