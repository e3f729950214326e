import type { Database, Tx } from '../../../db/database.js';
import { type EventRuleNoticeRow, lockNotice, patchNotice } from '../../../db/events/event-rule-notices.js';
import { type EventRuleRow, findEventRule } from '../../../db/events/event-rules.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { type OutreachRefusal, refusalOf } from '../../channels/outreach/gate.js';
import { type ActOutcome, isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { isAdminRole } from '../../kernel/scopes.js';

export interface RuleNotice {
  to: string;
  ruleId: number;
  ruleName: string;
  workspaceName: string;
  workspaceUuid: string;
  reason: 'gone' | 'failing';
  disabledAt: Date;
}

/** Why a notice is not sent: a refusal of the outreach gate, or the reason determined here. */
export type NoticeNotSent =
  | 'notice_gone'
  | 'claimed_before'
  | 'out_of_date'
  | 'no_admin'
  | 'no_address'
  | OutreachRefusal;

type RuleNoticeClaim = { kind: 'claimed'; notice: RuleNotice } | { kind: 'not_sent'; reason: NoticeNotSent };

/** Older notices are not sent, because the admins will have noticed by then. */
const freshForMs = 3 * 24 * 3_600_000;

/** Claims the only attempt to send a notice, or records why the notice does not apply any more. */
export async function claimRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  token: string,
): Promise<RuleNoticeClaim> {
  return db.inWorkspace(workspaceId, async (tx): Promise<RuleNoticeClaim> => {
    const now = clock.now();
    const row = await lockNotice(tx, noticeId);
    if (row === undefined) return { kind: 'not_sent', reason: 'notice_gone' };
    if (isClaimedByAnother(row, token)) return { kind: 'not_sent', reason: 'claimed_before' };
    const found = await noticeOf(db, tx, row, now);
    const failureReason = typeof found === 'string' ? found : null;
    await patchNotice(tx, row.id, { claimedAt: now, claimToken: token, failureReason });
    if (failureReason !== null && failureReason !== 'out_of_date') {
      reportOccurrence({ kind: 'notice_not_sent', workspaceId, reason: failureReason });
    }
    return typeof found === 'string'
      ? { kind: 'not_sent', reason: found }
      : { kind: 'claimed', notice: found };
  });
}

async function noticeOf(
  db: Database,
  tx: Tx,
  row: EventRuleNoticeRow,
  now: Date,
): Promise<RuleNotice | NoticeNotSent> {
  const rule = await findEventRule(tx, row.eventRuleId);
  if (rule === undefined || !isNews(row, rule, now)) return 'out_of_date';
  const [admin, workspace] = await Promise.all([
    addressOfAdmin(tx, row.memberId, now),
    db.identity.workspaces.findById(row.workspaceId, tx),
  ]);
  if (typeof admin === 'string') return admin;
  return {
    to: admin.email,
    ruleId: rule.id,
    ruleName: rule.name,
    workspaceName: workspace?.name ?? '',
    workspaceUuid: workspace?.uuid ?? '',
    reason: row.reason,
    disabledAt: row.createdAt,
  };
}

/** Whether the rule has remained disabled since the notice was written, and the notice is recent enough. */
function isNews(row: EventRuleNoticeRow, rule: EventRuleRow, now: Date): boolean {
  const writtenMs = row.createdAt.getTime();
  return rule.disabledAt?.getTime() === writtenMs && now.getTime() - writtenMs < freshForMs;
}

async function addressOfAdmin(
  tx: Tx,
  memberId: number,
  now: Date,
): Promise<{ email: string } | NoticeNotSent> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  const role = await findMemberRole(tx, member.memberRoleId);
  if (role === undefined || !isAdminRole(role)) return 'no_admin';
  const { email } = member;
  if (email === null) return 'no_address';
  const asked = { purpose: 'notice', channel: 'email', memberId, recipient: email, now } as const;
  return (await refusalOf(tx, asked)) ?? { email };
}

/** Records the result of a claimed attempt to send a notice, unless another token has claimed it since. */
export async function recordRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const notice = await lockNotice(tx, noticeId);
    if (notice?.claimToken !== token) return;
    await patchNotice(tx, noticeId, changes(outcome, clock.now()));
  });
}

function changes(outcome: ActOutcome<unknown>, now: Date): Parameters<typeof patchNotice>[2] {
  switch (outcome.kind) {
    case 'done':
      return { sentAt: now };
    case 'released':
      return { claimedAt: null, claimToken: null };
    case 'unknown':
      return { failureReason: 'unknown_outcome' };
    case 'refused':
      return { failureReason: outcome.reason };
  }
}
