import { patchEventRule } from '../../../db/events/event-rules.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
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
    if (rule.enabled)
      recordAudit(tx, { clock, actor }, 'event_rule:disabled', { subject: ['event_rule', id] });
    return detailsOf(tx, rule.enabled ? await patchEventRule(tx, id, resting) : rule, now);
  });
}
