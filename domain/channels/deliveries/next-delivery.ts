import {
  type DeliveryRow,
  findDelivery,
  noteOutcomeUnknown,
  selectDueDeliveries,
} from '../../../db/channels/deliveries.js';
import type { ServiceContext } from '../../kernel/context.js';
import { lookUpDelaysMs } from './find-unknown-delivery.js';

export type NextDelivery =
  | { kind: 'send'; deliveryId: number }
  | { kind: 'resolve'; deliveryId: number }
  | { kind: 'ask_for_receipt'; deliveryId: number }
  | { kind: 'wait'; until: number }
  | { kind: 'idle' };

/** The delivery of which a step asks what became of it. */
type Seen = Pick<DeliveryRow, 'messageId' | 'state' | 'failureReason'>;

/**
 * Returns the next action for a chat's deliveries, and what became of the delivery of the action before. Nothing is sent while an attempt may be in progress; a held or
 * retried message delays only its order group, and an attempt without a result nothing after its first look-up. Only
 * the run calls this, between two attempts: a claimed attempt has ended, and its status callback has to wake the run.
 */
export async function nextDelivery(
  context: ServiceContext,
  input: { workspaceId: number; chatId: number; lastDeliveryId?: number },
): Promise<NextDelivery & { last?: Seen | undefined }> {
  const now = context.clock.now().getTime();
  return context.db.inWorkspace(input.workspaceId, async (tx) => {
    const { chatId, lastDeliveryId } = input;
    const [open, last] = await Promise.all([
      selectDueDeliveries(tx, chatId, context.clock.now()),
      lastDeliveryId === undefined ? undefined : findDelivery(tx, lastDeliveryId),
    ]);
    const unknown: DeliveryRow[] = [];
    for (const delivery of open) {
      if (delivery.state === 'claimed' && (await noteOutcomeUnknown(tx, delivery.id))) unknown.push(delivery);
    }
    const next =
      blockedBy(unknown, now) ??
      firstToSend(open, now) ??
      firstToResolve(unknown, now) ??
      nextReceipt(open, now) ??
      untilNext(open, unknown, now);
    return last === undefined ? next : { ...next, last };
  });
}

/** The first look-up of an attempt, or the wait for it. Its message may be in flight, so everything else waits. */
function blockedBy(unknown: readonly DeliveryRow[], now: number): NextDelivery | undefined {
  const first = unknown.find(({ lookUps }) => lookUps === 0);
  if (first === undefined) return undefined;
  const until = lookUpAt(first);
  return until <= now ? { kind: 'resolve', deliveryId: first.id } : { kind: 'wait', until };
}

function firstToSend(open: readonly DeliveryRow[], now: number): NextDelivery | undefined {
  const waiting = new Set<number>();
  for (const delivery of open) {
    if (delivery.state !== 'queued') continue;
    const group = delivery.orderGroup?.getTime() ?? 0;
    const isDue = (delivery.notBefore?.getTime() ?? now) <= now;
    if (isDue && !waiting.has(group)) return { kind: 'send', deliveryId: delivery.id };
    waiting.add(group);
  }
  return undefined;
}

function firstToResolve(unknown: readonly DeliveryRow[], now: number): NextDelivery | undefined {
  const due = unknown.find((delivery) => lookUpAt(delivery) <= now);
  return due && { kind: 'resolve', deliveryId: due.id };
}

function nextReceipt(open: readonly DeliveryRow[], now: number): NextDelivery | undefined {
  const late = open.find(
    ({ state, receiptDueAt }) => state === 'sent' && receiptDueAt !== null && receiptDueAt.getTime() <= now,
  );
  return late && { kind: 'ask_for_receipt', deliveryId: late.id };
}

function untilNext(open: readonly DeliveryRow[], unknown: readonly DeliveryRow[], now: number): NextDelivery {
  const queued = open.filter(({ state }) => state === 'queued');
  const heldUntil = queued.map(({ notBefore }) => notBefore?.getTime() ?? 0).filter((at) => at > now);
  const times = [...heldUntil, ...unknown.map(lookUpAt)];
  return times.length === 0 ? { kind: 'idle' } : { kind: 'wait', until: Math.min(...times) };
}

function lookUpAt({ claimedAt, lookUps }: DeliveryRow): number {
  return (claimedAt?.getTime() ?? 0) + (lookUpDelaysMs[Math.min(lookUps, lookUpDelaysMs.length - 1)] ?? 0);
}
