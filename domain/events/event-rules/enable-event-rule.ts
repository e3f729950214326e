import { patchEventRule } from '../../../db/events/event-rules.js';
import { recordMissedTime } from '../../../db/events/missed-events.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { storedWithinMs } from '../../kernel/events/write-events.js';
import { keptForMs } from '../webhook-deliveries/forget-old-events.js';
import { detailsOf, type EventRuleDetails, requireLockedEventRule } from './event-rule-details.js';

/** Enables a rule, and records the disabled interval, so that missed events can be delivered. @throws NotFound */
export async function enableEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<EventRuleDetails> {
  actor.require('event_rules:write');
  const afresh = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null };
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const rule = await requireLockedEventRule(tx, id);
    if (rule.enabled) return detailsOf(tx, rule, now);
    recordAudit(tx, { clock, actor }, 'event_rule:enabled', { subject: ['event_rule', id] });
    await recordMissedTime(tx, id, { now, widerByMs: storedWithinMs, keptForMs });
    return detailsOf(tx, await patchEventRule(tx, id, { ...afresh, updatedAt: now }), now);
  });
}
