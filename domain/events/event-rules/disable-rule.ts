import { insertNotices } from '../../../db/events/event-rule-notices.js';
import { lockEventRule, patchEventRule } from '../../../db/events/event-rules.js';
import type { Tx } from '../../../db/tx.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { startNoticeRun } from '../../kernel/runs.js';
import { adminsToTell } from './admins-to-tell.js';

/** Disables a rule whose receiver is gone (410) or has only failed for days, once, and notifies admins by mail. */
export async function disableRule(
  tx: Tx,
  { eventRuleId, reason, now }: { eventRuleId: number; reason: 'gone' | 'failing'; now: Date },
): Promise<void> {
  const rule = await lockEventRule(tx, eventRuleId);
  if (!rule?.enabled) return;
  reportOccurrence({ kind: 'rule_disabled', workspaceId: tx.workspaceId, reason });
  const [, told] = await Promise.all([
    patchEventRule(tx, rule.id, { enabled: false, disabledAt: now, disabledReason: reason, updatedAt: now }),
    adminsToTell(tx, now),
  ]);
  const notices = await insertNotices(tx, told, { eventRuleId, reason, createdAt: now });
  await Promise.all(notices.map((notice) => startNoticeRun(tx, notice)));
}
