import type { Database, Tx } from '../../../db/database.js';
import { type EventRuleNoticeRow, lockNotice, updateNotice } from '../../../db/events/event-rule-notices.js';
import { type EventRuleRow, findEventRule } from '../../../db/events/event-rules.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { type OutreachRefusal, refusalOf } from '../../channels/outreach/gate.js';
import { isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { isAdminRole } from '../../kernel/scopes.js';

/** What a notice tells, and whom. */
export interface RuleNotice {
  to: string;
  ruleId: number;
  ruleName: string;
  workspaceName: string;
  workspaceUuid: string;
  reason: 'gone' | 'failing';
  disabledAt: Date;
}

/** Why a notice is not sent: what the gate says, or that the member is no admin any more or has no email address. */
export type NoticeNotSent =
  | 'notice_gone'
  | 'claimed_before'
  | 'out_of_date'
  | 'no_admin'
  | 'no_address'
  | OutreachRefusal;

export type RuleNoticeClaim =
  | { kind: 'claimed'; notice: RuleNotice }
  | { kind: 'not_sent'; reason: NoticeNotSent };

/** Older notices are no news: whoever was to have them has found out. */
const freshForMs = 3 * 24 * 3_600_000;

/**
 * Takes the one attempt at sending a notice, before the mail server is asked: at most once after this. Whether it is
 * still to be sent is decided here, at the moment of sending, and noted where it is not.
 */
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
    await updateNotice(tx, row.id, { claimedAt: now, claimToken: token, failureReason });
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

/** Whether the rule is still disabled as it was when the notice was written, and not since so long. */
function isNews(row: EventRuleNoticeRow, rule: EventRuleRow, now: Date): boolean {
  return (
    rule.disabledAt?.getTime() === row.createdAt.getTime() &&
    now.getTime() - row.createdAt.getTime() < freshForMs
  );
}

/** Where a member is told, who may have become another since the notice was written; or why it is not told. */
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
