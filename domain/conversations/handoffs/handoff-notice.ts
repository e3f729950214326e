import { countHeldEmails, hasHeldEmails } from '../../../db/channels/inbound-emails.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { countOpenChats } from '../../../db/conversations/handoff-tellings.js';
import type { Database } from '../../../db/database.js';
import { findNoticeBefore, type HandoffNoticeRow } from '../../../db/events/handoff-notices.js';
import type { Tx } from '../../../db/tx.js';
import {
  addressOfRecipient,
  type NoticeNotSent,
  type NoticeRecipient,
} from '../../channels/outreach/claim-notice.js';
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

/** Older notices are not sent: another one is due by then. */
const freshForMs = 3_600_000;
/** More chats, or emails, are not counted. */
const maxCounted = 1_000;

/** What a notice says by now, or why it is not sent any more: for one, nothing waits. */
export async function handoffNoticeOf(
  db: Database,
  tx: Tx,
  row: HandoffNoticeRow,
  now: Date,
): Promise<HandoffNotice | NoticeNotSent> {
  const workspace = await db.identity.workspaces.findById(row.workspaceId, tx);
  const setting = workspace?.handoffNotices ?? null;
  const isFresh = now.getTime() - row.createdAt.getTime() < freshForMs;
  if (workspace === undefined || setting === null || !isFresh) return 'out_of_date';
  if (!setting.channels.includes(row.channel)) return 'out_of_date';
  const open = { reasons: setting.reasons, now, most: maxCounted + 1 };
  const chats = await countOpenChats(tx, open);
  const { heldEmails = false } = setting;
  const emails = heldEmails ? await countHeldEmails(tx, maxCounted + 1) : { count: 0, since: null };
  if (chats.count === 0 && !(await areEmailsNews(tx, row, emails))) return 'out_of_date';
  const recipient: NoticeRecipient = {
    memberId: row.memberId,
    purpose: 'handoff_notice',
    channel: row.channel,
    mayReceive: ({ permissions }) => permissions.includes('chats:read'),
    otherwise: 'no_permission',
  };
  const to = await addressOfRecipient(tx, recipient, now);
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
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted, since };
}
