import type { Tx } from '../tx.js';
import { EventRuleNoticeModel, type EventRuleNoticeRow } from './models/event-rule-notice.js';

export type { EventRuleNoticeRow } from './models/event-rule-notice.js';

export async function insertNotices(
  tx: Tx,
  memberIds: readonly number[],
  values: Pick<EventRuleNoticeRow, 'reason' | 'createdAt'> &
    Partial<
      Pick<EventRuleNoticeRow, 'eventRuleId' | 'creditMonthId' | 'secretId' | 'mcpServerId' | 'siteId'>
    >,
): Promise<EventRuleNoticeRow[]> {
  if (memberIds.length === 0) return [];
  const rows = memberIds.map((memberId) => ({ ...values, memberId }));
  return EventRuleNoticeModel.insertAll(tx, rows);
}

export async function lockNotice(tx: Tx, id: number): Promise<EventRuleNoticeRow | undefined> {
  return EventRuleNoticeModel.first(tx, 'id = ? for no key update', [id]);
}

export async function patchNotice(
  tx: Tx,
  id: number,
  changes: Partial<Pick<EventRuleNoticeRow, 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>>,
): Promise<void> {
  await EventRuleNoticeModel.patch(tx, id, changes);
}

/** Counts these notices to a member since a time that were sent or are on their way. */
export async function countNoticesTo(tx: Tx, memberId: number, since: Date): Promise<number> {
  const sent = 'member_id = ? and claimed_at > ? and (sent_at is not null or failure_reason is null)';
  return EventRuleNoticeModel.count(tx, sent, [memberId, since]);
}
