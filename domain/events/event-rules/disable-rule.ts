import type { Tx } from '../../../db/database.js';
import { insertNotices } from '../../../db/events/event-rule-notices.js';
import { lockEventRule, patchEventRule } from '../../../db/events/event-rules.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { peopleToMail } from '../../../db/people/people.js';
import { refusalOf } from '../../channels/outreach/gate.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { startRuleNoticeRun } from '../../kernel/runs.js';
import { isAdminRole } from '../../kernel/scopes.js';

/** Further admins learn of it from these. */
const mostTold = 50;

/** Disables a rule whose receiver is gone (410) or has only failed for days, once, and notifies admins by mail. */
export async function disableRule(
  tx: Tx,
  { eventRuleId, reason, now }: { eventRuleId: number; reason: 'gone' | 'failing'; now: Date },
): Promise<void> {
  const rule = await lockEventRule(tx, eventRuleId);
  if (!rule?.enabled) return;
  reportOccurrence({ kind: 'rule_disabled', workspaceId: tx.workspaceId, reason });
  const [, roles] = await Promise.all([
    patchEventRule(tx, rule.id, { enabled: false, disabledAt: now, disabledReason: reason, updatedAt: now }),
    selectMemberRoles(tx),
  ]);
  const adminRoleIds = roles.filter(isAdminRole).map(({ id }) => id);
  const people = await peopleToMail(tx, adminRoleIds, mostTold);
  const refusals = await Promise.all(
    people.map(({ id: memberId, email: recipient }) =>
      refusalOf(tx, { purpose: 'notice', channel: 'email', memberId, recipient, now }),
    ),
  );
  const told = people.flatMap(({ id }, index) => (refusals[index] === undefined ? [id] : []));
  if (told.length === 0) {
    reportOccurrence({ kind: 'notice_not_sent', workspaceId: tx.workspaceId, reason: 'nobody_to_tell' });
    return;
  }
  const notices = await insertNotices(tx, told, { eventRuleId, reason, createdAt: now });
  await Promise.all(notices.map((notice) => startRuleNoticeRun(tx, notice)));
}
