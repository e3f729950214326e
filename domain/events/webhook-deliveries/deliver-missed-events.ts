import { findEventRule } from '../../../db/events/event-rules.js';
import {
  countPendingDeliveries,
  forgetMissedTime,
  listMissedEvents,
} from '../../../db/events/missed-events.js';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { storedWithinMs } from '../events/write-events.js';
import { keptForMs } from './forget-old-events.js';
import { redeliverAlone, requireEnabled } from './redeliver-alone.js';
import { mostRedelivered } from './redeliver-failed-events.js';

/** Which missed events: those that happened from `since` (inclusive) to `until` (exclusive). */
export interface MissedEventsWanted {
  since?: Date;
  until?: Date;
}

/**
 * Delivers the events that happened while a rule was disabled, oldest first and each once. It adds deliveries until
 * `mostPending` of the rule are pending. Concurrent calls for one rule run one after the other.
 *
 * @returns how many deliveries were added, and whether missed events are left
 * @throws NotFound, Conflict, InvalidInput
 */
export async function deliverMissedEvents(
  { db, actor, clock }: CommandContext,
  eventRuleId: number,
  { since, until }: MissedEventsWanted,
  mostPending = mostRedelivered,
): Promise<{ queued: number; more: boolean }> {
  actor.require('event_rules:write');
  if (since !== undefined && until !== undefined && until <= since) {
    throw InvalidInput.field('/until', 'It must be after since.');
  }
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await redeliverAlone(tx, eventRuleId);
    const rule = await findEventRule(tx, eventRuleId);
    if (rule === undefined) throw new NotFound('Event rule');
    requireEnabled(rule);

    const now = clock.now();
    const wanted = { from: latest(since, oldestDeliverable(now)), before: until };
    const room = mostPending - (await countPendingDeliveries(tx, eventRuleId, mostPending));
    const missed = await listMissedEvents(tx, rule, wanted, room + 1);
    const started = await startWebhookDeliveries(tx, {
      eventRuleId,
      eventIds: missed.slice(0, room).map(({ id }) => id),
      trigger: 'missed',
      requestedByMemberId: actor.memberId,
      now,
    });
    // The last statement, because it locks the rule and attempts at its deliveries wait for that lock.
    const next = missed[room];
    await forgetMissedTime(tx, eventRuleId, {
      from: since,
      before: earliest(next?.createdAt ?? until, new Date(now.getTime() - storedWithinMs)),
    });
    return { queued: started.length, more: next !== undefined };
  });
}

/** One hour after the limit of retention, so that no event is deleted while it is queued. */
function oldestDeliverable(now: Date): Date {
  return new Date(now.getTime() - keptForMs + 3_600_000);
}

function latest(one: Date | undefined, other: Date): Date {
  return one !== undefined && one > other ? one : other;
}

function earliest(one: Date | undefined, other: Date): Date {
  return one !== undefined && one < other ? one : other;
}
