import type { Tx } from '../database.js';
import { EventRuleNoticeModel, type EventRuleNoticeRow } from '../models/event-rule-notice.js';
import { insertRows, patchRow, selectRows } from '../models/rows.js';

export type { EventRuleNoticeRow } from '../models/event-rule-notice.js';

export async function insertNotices(
  tx: Tx,
  memberIds: readonly number[],
  values: Pick<EventRuleNoticeRow, 'eventRuleId' | 'reason' | 'createdAt'>,
): Promise<EventRuleNoticeRow[]> {
  if (memberIds.length === 0) return [];
  return insertRows(
    EventRuleNoticeModel,
    tx,
    memberIds.map((memberId) => ({ ...values, memberId })),
  );
}

/** Takes the notice: whoever else wants it waits until the transaction ends. */
export async function lockNotice(tx: Tx, id: number): Promise<EventRuleNoticeRow | undefined> {
  const [row] = await selectRows(EventRuleNoticeModel, tx, 'id = ? for no key update', [id]);
  return row;
}

export async function updateNotice(
  tx: Tx,
  id: number,
  changes: Partial<Pick<EventRuleNoticeRow, 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>>,
): Promise<void> {
  await patchRow(EventRuleNoticeModel, tx, id, changes);
}
