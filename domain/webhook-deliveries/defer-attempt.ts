import { reserveSlot } from '../../db/queries/webhook-claims.js';
import type { ServiceContext } from '../context.js';
import type { WebhookRef } from './claim-attempt.js';
import { longestDeferralMs, requestsPerReceiver } from './limits.js';

/**
 * Puts an attempt off for which there is no room: to the next place in its receiver's queue, so that those who wait come
 * back one after the other, at the rate at which they are answered.
 */
export async function deferAttempt(
  { db, clock }: ServiceContext,
  { workspaceId, ruleId }: WebhookRef,
): Promise<Date> {
  const now = clock.now();
  const slot = await db.inWorkspace(workspaceId, (tx) =>
    reserveSlot(tx, { ruleId, now, limit: requestsPerReceiver, longestMs: longestDeferralMs }),
  );
  return slot ?? now;
}
