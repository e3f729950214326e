import { countHeldEmails, hasHeldEmails } from '../../../db/channels/inbound-emails.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { countOpenChats } from '../../../db/conversations/handoff-tellings.js';
import type { Database } from '../../../db/database.js';
import {
  findNoticeBefore,
  type HandoffNoticeRow,
  lockHandoffNotice,
  patchHandoffNotice,
} from '../../../db/events/handoff-notices.js';
import { findMemberRole } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { claimUnderLock, holdOptOuts } from '../../channels/outreach/claim-under-lock.js';
import { type OutreachRefusal, refusalOf } from '../../channels/outreach/gate.js';
import { type ActOutcome, changesOfOutcome, isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { heldEmailsEveryMs, settledAfterMs } from './tell-of-waiting-chats.js';

/** How many wait, up to a bound. */
export interface WaitingCount {
  count: number;
  isMore: boolean;
  /** Since when the first one waits; null if none does. */
  since: Date | null;
}

/** What a notice says: how many chats and held emails wait, and since when the first of each. */
export interface HandoffNotice {
  channel: 'email' | 'sms';
  to: string;
  /** The number that an SMS is sent from. */
  from: string | null;
  workspaceName: string;
  /** Where they are answered; null: the workspace has not said. */
  queueUrl: string | null;
  chats: WaitingCount;
  emails: WaitingCount;
}

/** Why a notice is not sent: a refusal of the outreach gate, or the reason determined here. */
export type HandoffNoticeNotSent =
  | 'notice_gone'
  | 'claimed_before'
  | 'out_of_date'
  | 'no_permission'
  | 'no_address'
  | 'no_phone_number'
  | OutreachRefusal;

type Claim = { kind: 'claimed'; notice: HandoffNotice } | { kind: 'not_sent'; reason: HandoffNoticeNotSent };

/** Older notices are not sent: another one is due by then. */
const freshForMs = 3_600_000;
/** More chats, or emails, are not counted. */
const mostCounted = 1_000;

/** Claims the only attempt to send a notice, or records why it does not apply any more: for one, nothing waits. */
export async function claimHandoffNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  token: string,
): Promise<Claim> {
  return claimUnderLock(db, workspaceId, async (tx): Promise<Claim> => {
    const now = clock.now();
    const row = await lockHandoffNotice(tx, noticeId);
    if (row === undefined) return { kind: 'not_sent', reason: 'notice_gone' };
    if (isClaimedByAnother(row, token)) return { kind: 'not_sent', reason: 'claimed_before' };
    await holdOptOuts(tx, { memberId: row.memberId, recipient: null });
    const found = await noticeOf(db, tx, row, now);
    const failureReason = typeof found === 'string' ? found : null;
    await patchHandoffNotice(tx, row.id, { claimedAt: now, claimToken: token, failureReason });
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
  row: HandoffNoticeRow,
  now: Date,
): Promise<HandoffNotice | HandoffNoticeNotSent> {
  const workspace = await db.identity.workspaces.findById(row.workspaceId, tx);
  const setting = workspace?.handoffNotices ?? null;
  const isFresh = now.getTime() - row.createdAt.getTime() < freshForMs;
  if (workspace === undefined || setting === null || !isFresh) return 'out_of_date';
  if (!setting.channels.includes(row.channel)) return 'out_of_date';
  const open = { reasons: setting.reasons, now, most: mostCounted + 1 };
  const chats = await countOpenChats(tx, open);
  const { heldEmails = false } = setting;
  const emails = heldEmails ? await countHeldEmails(tx, mostCounted + 1) : { count: 0, since: null };
  if (chats.count === 0 && !(await areEmailsNews(tx, row, emails))) return 'out_of_date';
  const to = await addressOf(tx, row, now);
  if (typeof to === 'string') return to;
  const number =
    row.channel === 'sms' && setting.phoneNumberId !== null
      ? await findPhoneNumber(tx, setting.phoneNumberId)
      : undefined;
  if (row.channel === 'sms' && number === undefined) return 'no_phone_number';
  return {
    channel: row.channel,
    to: to.address,
    from: number?.number ?? null,
    workspaceName: workspace.name,
    queueUrl: setting.queueUrl ?? null,
    chats: bounded(chats),
    emails: bounded(emails),
  };
}

/** Whether held mail alone is worth a notice: the chats that it was written for may have been answered since. */
async function areEmailsNews(tx: Tx, notice: HandoffNoticeRow, emails: { count: number }): Promise<boolean> {
  if (emails.count === 0) return false;
  const before = await findNoticeBefore(tx, notice);
  if (before === undefined) return true;
  if (notice.createdAt.getTime() - before.createdAt.getTime() < heldEmailsEveryMs) return false;
  // What was held in the last moments before a look is told of in the next one.
  const from = new Date(before.createdAt.getTime() - settledAfterMs);
  return hasHeldEmails(tx, { from, until: notice.createdAt });
}

function bounded({ count, since }: { count: number; since: Date | null }): WaitingCount {
  return { count: Math.min(count, mostCounted), isMore: count > mostCounted, since };
}

async function addressOf(
  tx: Tx,
  { memberId, channel }: HandoffNoticeRow,
  now: Date,
): Promise<{ address: string } | HandoffNoticeNotSent> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  const role = await findMemberRole(tx, member.memberRoleId);
  if (role === undefined || !role.permissions.includes('chats:read')) return 'no_permission';
  const address = channel === 'email' ? member.email : member.phone;
  if (address === null) return 'no_address';
  const way = channel === 'email' ? 'email' : 'phone-sms';
  const asked = { purpose: 'handoff_notice', channel: way, memberId, recipient: address, now } as const;
  return (await refusalOf(tx, asked)) ?? { address };
}

/** Records the result of a claimed attempt to send a notice, unless another token has claimed it since. */
export async function recordHandoffNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const notice = await lockHandoffNotice(tx, noticeId);
    if (notice?.claimToken !== token) return;
    await patchHandoffNotice(tx, noticeId, changesOfOutcome(outcome, clock.now()));
  });
}
