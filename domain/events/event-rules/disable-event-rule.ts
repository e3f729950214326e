import { updateEventRule as updateRow } from '../../../db/events/event-rules.js';
import type { CommandContext } from '../../kernel/context.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';

/**
 * Disables a rule because a member asks for it: new events are delivered only by `deliverMissedEvents` once it is enabled,
 * and what is under way is not tried again. A rule that is disabled stays as it is, with its reason. What the service does by itself is in `disableRule`.
 *
 * @throws NotFound
 */
export async function disableEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<EventRuleDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    const resting = { enabled: false, disabledAt: now, disabledReason: 'by_member', updatedAt: now } as const;
    return detailsOf(tx, rule.enabled ? await updateRow(tx, id, resting) : rule, now);
  });
}
