import { patchEventRule } from '../../../db/events/event-rules.js';
import type { CommandContext } from '../../kernel/context.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';

/** Disables a rule at the request of a member; the service does so by `disableRule`. @throws NotFound */
export async function disableEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<EventRuleDetails> {
  actor.require('event_rules:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    const resting = { enabled: false, disabledAt: now, disabledReason: 'by_member', updatedAt: now } as const;
    return detailsOf(tx, rule.enabled ? await patchEventRule(tx, id, resting) : rule, now);
  });
}
