import { queueForReceiver } from '../../../db/events/webhook-claims.js';
import { lockWebhookDelivery } from '../../../db/events/webhook-deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { WebhookRef } from './claim-attempt.js';
import { queueOfReceiver, requestsPerReceiver } from './limits.js';

const minMs = 1_000;

/**
 * Postpones an attempt without room to the next place in its receiver's queue
 * (docs/decisions/0057-room-at-receivers.md), at least one second from now, and returns the time. `random`, from 0 to
 * 1, spreads simultaneous attempts.
 */
export async function deferAttempt(
  { db, clock }: ServiceContext,
  { workspaceId, deliveryId, ruleId }: WebhookRef,
  { notBefore, random = Math.random }: { notBefore?: Date; random?: () => number } = {},
): Promise<Date> {
  const now = clock.now();
  const earliestMs = Math.max(now.getTime() + minMs, notBefore?.getTime() ?? 0);
  const soonest = new Date(earliestMs + Math.floor(random() * minMs));
  const queue = { deliveryId, ruleId, now, soonest, limit: requestsPerReceiver, ...queueOfReceiver };
  const [, at] = await db.inWorkspace(workspaceId, (tx) =>
    Promise.all([lockWebhookDelivery(tx, deliveryId), queueForReceiver(tx, queue)]),
  );
  return at ?? soonest;
}
