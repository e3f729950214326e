import { updateEventRule as updateRow } from '../../db/queries/event-rules.js';
import type { CommandContext } from '../context.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';

/**
 * Has a rule's receiver told of events again, from the next one on; what it missed can be delivered again. Its receiver
 * starts afresh: nothing has failed yet. A rule that is enabled stays as it is.
 *
 * @throws NotFound
 */
export async function enableEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<EventRuleDetails> {
  actor.require('event_rules:write');
  const afresh = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null };
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    const enabled = rule.enabled ? rule : await updateRow(tx, id, { ...afresh, updatedAt: now });
    return detailsOf(tx, enabled, now);
  });
}
