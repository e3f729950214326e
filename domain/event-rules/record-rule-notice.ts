import { lockNotice, updateNotice } from '../../db/queries/event-rule-notices.js';
import type { ServiceContext } from '../context.js';

/** What became of a claimed attempt at sending a notice. */
export type RuleNoticeSending =
  | { kind: 'sent' }
  | { kind: 'failed'; reason: string }
  /** It certainly did not go out, and may be tried again. */
  | { kind: 'released' };

/** Notes what became of an attempt at sending a notice; of one whose row is gone nothing is noted. */
export async function recordRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  sending: RuleNoticeSending,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    if ((await lockNotice(tx, noticeId)) === undefined) return;
    if (sending.kind === 'sent') await updateNotice(tx, noticeId, { sentAt: clock.now() });
    else if (sending.kind === 'failed') await updateNotice(tx, noticeId, { failureReason: sending.reason });
    else await updateNotice(tx, noticeId, { claimedAt: null });
  });
}
