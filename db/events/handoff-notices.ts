import type { Tx } from '../tx.js';
import { HandoffNoticeModel, type HandoffNoticeRow } from './models/handoff-notice.js';

export type { HandoffNoticeRow } from './models/handoff-notice.js';

export async function insertHandoffNotices(
  tx: Tx,
  notices: readonly Pick<HandoffNoticeRow, 'memberId' | 'channel' | 'createdAt'>[],
): Promise<HandoffNoticeRow[]> {
  return notices.length === 0 ? [] : HandoffNoticeModel.insertAll(tx, notices);
}

export async function lockHandoffNotice(tx: Tx, id: number): Promise<HandoffNoticeRow | undefined> {
  return HandoffNoticeModel.first(tx, 'id = ? for no key update', [id]);
}

/** The latest earlier notice to the same member on the same channel that was sent or is on its way. */
export async function findNoticeBefore(
  tx: Tx,
  { createdAt, memberId, channel }: Pick<HandoffNoticeRow, 'createdAt' | 'memberId' | 'channel'>,
): Promise<HandoffNoticeRow | undefined> {
  const before = `member_id = ? and channel = ? and created_at < ? and failure_reason is null
    order by created_at desc limit 1`;
  const [row] = await HandoffNoticeModel.where(tx, before, [memberId, channel, createdAt]);
  return row;
}

export async function patchHandoffNotice(
  tx: Tx,
  id: number,
  changes: Partial<Pick<HandoffNoticeRow, 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>>,
): Promise<void> {
  await HandoffNoticeModel.patch(tx, id, changes);
}

/** Counts these notices to a member on a channel since a time that were sent or are on their way. */
export async function countHandoffNoticesTo(
  tx: Tx,
  { memberId, channel, since }: Pick<HandoffNoticeRow, 'memberId' | 'channel'> & { since: Date },
): Promise<number> {
  return HandoffNoticeModel.count(
    tx,
    'member_id = ? and claimed_at > ? and channel = ? and (sent_at is not null or failure_reason is null)',
    [memberId, since, channel],
  );
}
