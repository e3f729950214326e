import type { Database } from '../../../db/database.js';
import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { type ActOutcome, changesOfOutcome, isClaimedByAnother } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';
import { reportOccurrence } from '../../kernel/occurrences.js';
import { claimUnderLock, holdOptOuts } from './claim-under-lock.js';
import { type OutreachRefusal, refusalOf } from './gate.js';

/*
 * A notice is a mail or an SMS of the service to one colleague, sent once or not at all. Its row is written with its run, which
 * claims the only attempt when it sends it.
 */

/** The columns of every notice. */
export interface NoticeRow {
  id: number;
  memberId: number;
  claimedAt: Date | null;
  claimToken: string | null;
  sentAt: Date | null;
  failureReason: string | null;
}

type NoticeChanges = Partial<Omit<NoticeRow, 'id' | 'memberId'>>;

/** Why a notice is not sent: a refusal of the outreach gate, or the reason determined here. */
export type NoticeNotSent =
  | 'notice_gone'
  | 'claimed_before'
  | 'out_of_date'
  | 'no_admin'
  | 'no_permission'
  | 'no_address'
  | 'no_phone_number'
  | OutreachRefusal;

/** A message that the service itself sends to a person. */
export type OwnMessage =
  | { channel: 'email'; to: string; subject: string; text: string }
  | { channel: 'sms'; to: string; from: string | null; body: string };

export interface NoticeKind<Row extends NoticeRow, Notice> {
  lock(tx: Tx, id: number): Promise<Row | undefined>;
  patch(tx: Tx, id: number, changes: NoticeChanges): Promise<void>;
  /** What a notice says by now, or why it is not sent any more. */
  noticeOf(db: Database, tx: Tx, row: Row, now: Date): Promise<Notice | NoticeNotSent>;
  /** @param publicUrl without `/api/v2` */
  messageOf(notice: Notice, publicUrl: string): OwnMessage;
  /** Whether an opt-out that is being written is awaited: texts can be opted out of. */
  heedsOptOuts: boolean;
  /** The outcome where no mail server, or no carrier, is configured. */
  unconfigured: string;
}

export interface NoticeRef {
  workspaceId: number;
  noticeId: number;
}

type NoticeClaim<Notice> = { kind: 'claimed'; notice: Notice } | { kind: 'not_sent'; reason: NoticeNotSent };

/** Claims the only attempt to send a notice, or records why it does not apply any more. */
export async function claimNotice<Row extends NoticeRow, Notice extends object>(
  { db, clock }: ServiceContext,
  kind: NoticeKind<Row, Notice>,
  { workspaceId, noticeId }: NoticeRef,
  token: string,
): Promise<NoticeClaim<Notice>> {
  return claimUnderLock(db, workspaceId, async (tx): Promise<NoticeClaim<Notice>> => {
    const now = clock.now();
    const row = await kind.lock(tx, noticeId);
    if (row === undefined) return { kind: 'not_sent', reason: 'notice_gone' };
    if (isClaimedByAnother(row, token)) return { kind: 'not_sent', reason: 'claimed_before' };
    if (kind.heedsOptOuts) await holdOptOuts(tx, { memberId: row.memberId, recipient: null });
    const found = await kind.noticeOf(db, tx, row, now);
    const failureReason = typeof found === 'string' ? found : null;
    await kind.patch(tx, row.id, { claimedAt: now, claimToken: token, failureReason });
    if (failureReason !== null && failureReason !== 'out_of_date') {
      reportOccurrence(tx, { kind: 'notice_not_sent', reason: failureReason });
    }
    return typeof found === 'string'
      ? { kind: 'not_sent', reason: found }
      : { kind: 'claimed', notice: found };
  });
}

/** Records the result of a claimed attempt to send a notice, unless another token has claimed it since. */
export async function recordNotice<Row extends NoticeRow, Notice>(
  { db, clock }: ServiceContext,
  kind: NoticeKind<Row, Notice>,
  { workspaceId, noticeId }: NoticeRef,
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const notice = await kind.lock(tx, noticeId);
    if (notice?.claimToken !== token) return;
    await kind.patch(tx, noticeId, changesOfOutcome(outcome, clock.now()));
  });
}

/** Who receives a notice, and by which channel. */
export interface NoticeRecipient {
  memberId: number;
  purpose: 'notice' | 'handoff_notice';
  channel: 'email' | 'sms';
  /** Whether a colleague of this role may receive it; `otherwise`: why not. */
  mayReceive(role: MemberRoleRow): boolean;
  otherwise: NoticeNotSent;
}

/** The address of the recipient, or why the notice is not sent there. */
export async function addressOfRecipient(
  tx: Tx,
  { memberId, purpose, channel, mayReceive, otherwise }: NoticeRecipient,
  now: Date,
): Promise<{ address: string } | NoticeNotSent> {
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  const role = await findMemberRole(tx, member.memberRoleId);
  if (role === undefined || !mayReceive(role)) return otherwise;
  const address = channel === 'email' ? member.email : member.phone;
  if (address === null) return 'no_address';
  const way = channel === 'email' ? 'email' : 'phone-sms';
  const asked = { purpose, channel: way, memberId, recipient: address, now } as const;
  return (await refusalOf(tx, asked)) ?? { address };
}
