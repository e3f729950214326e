import { lockEventRule, patchEventRule } from '../../../db/events/event-rules.js';
import type { Tx } from '../../../db/tx.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { notifyAdmins } from './notify-admins.js';

/** Disables a rule whose receiver is gone (410) or has only failed for days, once, and notifies admins by mail. */
export async function disableRule(
  tx: Tx,
  { eventRuleId, reason, now }: { eventRuleId: number; reason: 'gone' | 'failing'; now: Date },
): Promise<void> {
  const rule = await lockEventRule(tx, eventRuleId);
  if (!rule?.enabled) return;
  reportOccurrence(tx, { kind: 'rule_disabled', reason });
  const disabled = { enabled: false, disabledAt: now, disabledReason: reason, updatedAt: now };
  await patchEventRule(tx, rule.id, disabled);
  await notifyAdmins(tx, [{ eventRuleId, reason }], now);
}
