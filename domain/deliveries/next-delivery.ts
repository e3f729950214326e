import { listOpenDeliveries } from '../../db/queries/deliveries.js';
import type { ServiceContext } from '../context.js';

/** How long a claimed attempt may stay without a word before the carrier is asked about it. */
export const unknownOutcomeGraceMs = 60_000;

/** Receipts that never come are no longer awaited after this. */
export const receiptPatienceMs = 24 * 3_600_000;

export type NextDelivery =
  | { kind: 'send'; deliveryId: number }
  | { kind: 'resolve'; deliveryId: number }
  | { kind: 'wait'; until?: number; receipts: number }
  | { kind: 'idle' };

/**
 * What a chat's deliveries need next. In order: while an attempt is claimed nothing later is sent; receipts are
 * awaited together.
 */
export async function nextDelivery(
  context: ServiceContext,
  input: { workspaceId: number; chatId: number },
): Promise<NextDelivery> {
  const open = await context.db.inWorkspace(input.workspaceId, (tx) => listOpenDeliveries(tx, input.chatId));
  const now = context.clock.now().getTime();
  const first = open.find((delivery) => delivery.state !== 'sent');

  if (first?.state === 'claimed') {
    const until = (first.claimedAt?.getTime() ?? now) + unknownOutcomeGraceMs;
    if (until <= now) return { kind: 'resolve', deliveryId: first.id };
    return { kind: 'wait', until, receipts: 1 };
  }
  if (first !== undefined) {
    const notBefore = first.notBefore?.getTime() ?? now;
    if (notBefore <= now) return { kind: 'send', deliveryId: first.id };
    return { kind: 'wait', until: notBefore, receipts: 0 };
  }

  const awaited = open.filter((delivery) => (delivery.sentAt?.getTime() ?? now) + receiptPatienceMs > now);
  const last = awaited.at(-1);
  if (last === undefined) return { kind: 'idle' };
  return {
    kind: 'wait',
    until: (last.sentAt?.getTime() ?? now) + receiptPatienceMs,
    receipts: awaited.length,
  };
}
