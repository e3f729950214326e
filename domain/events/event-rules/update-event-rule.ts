import { type EventRuleRow, patchEventRule } from '../../../db/events/event-rules.js';
import { recordEventType } from '../../../db/events/missed-events.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import type { EventType } from '../../kernel/events/event-types.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';
import { type Receiver, receiverAt, requireUsable } from './receiver.js';

interface UpdateEventRule {
  name?: string;
  eventType?: EventType;
  receiver?: Receiver | undefined;
}

/**
 * Changes the given fields. Pending deliveries go to a new receiver from their next attempt on, and the failure record
 * starts anew.
 * @throws InvalidInput, NotFound, Conflict `too_many_new_receivers`
 */
export async function updateEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
  { receiver, ...changes }: UpdateEventRule,
): Promise<EventRuleDetails> {
  actor.require('event_rules:write');
  const url = receiver && requireUsable(receiver);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    if (changes.eventType !== undefined && changes.eventType !== rule.eventType) {
      await recordEventType(tx, id, now);
    }
    const names = givenNames({ ...changes, receiver });
    recordAudit(tx, { clock, actor }, 'event_rule:updated', { subject: ['event_rule', id], names });
    const moved = url === undefined ? {} : moveTo(await receiverAt(tx, url, now), rule);
    return detailsOf(tx, await patchEventRule(tx, id, { ...changes, ...moved, updatedAt: now }), now);
  });
}

function moveTo(webhookEndpointId: number, rule: EventRuleRow): Partial<EventRuleRow> {
  return webhookEndpointId === rule.webhookEndpointId ? {} : { webhookEndpointId, failingSince: null };
}
