import type { Tx } from '../database.js';
import { insertRows, patchRow, selectRows } from '../lib/rows.js';
import { HandoffNoticeModel, type HandoffNoticeRow } from './models/handoff-notice.js';

export type { HandoffNoticeRow } from './models/handoff-notice.js';

export async function insertHandoffNotices(
  tx: Tx,
  notices: readonly Pick<HandoffNoticeRow, 'memberId' | 'channel' | 'createdAt'>[],
): Promise<HandoffNoticeRow[]> {
  return notices.length === 0 ? [] : insertRows(HandoffNoticeModel, tx, notices);
}

export async function lockHandoffNotice(tx: Tx, id: number): Promise<HandoffNoticeRow | undefined> {
  const [row] = await selectRows(HandoffNoticeModel, tx, 'id = ? for no key update', [id]);
  return row;
}

export async function patchHandoffNotice(
  tx: Tx,
  id: number,
  changes: Partial<Pick<HandoffNoticeRow, 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>>,
): Promise<void> {
  await patchRow(HandoffNoticeModel, tx, id, changes);
}
