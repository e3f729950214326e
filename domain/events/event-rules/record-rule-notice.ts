import { lockNotice, updateNotice } from '../../../db/events/event-rule-notices.js';
import type { ActOutcome } from '../../kernel/at-most-once.js';
import type { ServiceContext } from '../../kernel/context.js';

/**
 * Records the result of a claimed attempt to send a notice. Does nothing if the row is gone or another token has
 * claimed it.
 */
export async function recordRuleNotice(
  { db, clock }: ServiceContext,
  { workspaceId, noticeId }: { workspaceId: number; noticeId: number },
  outcome: ActOutcome<unknown>,
  token: string,
): Promise<void> {
  await db.inWorkspace(workspaceId, async (tx) => {
    const notice = await lockNotice(tx, noticeId);
    if (notice?.claimToken !== token) return;
    await updateNotice(tx, noticeId, changes(outcome, clock.now()));
  });
}

function changes(outcome: ActOutcome<unknown>, now: Date): Parameters<typeof updateNotice>[2] {
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
