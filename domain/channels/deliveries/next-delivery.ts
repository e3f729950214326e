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
 * Returns the next action for a chat's deliveries, and what became of the delivery of the action before. Messages to one
 * recipient keep their order: nothing is sent to it while an attempt may be in progress; a held or retried message delays
 * only its order group, and an attempt without a result nothing after its first look-up. Only the run calls this, between
 * two attempts: a claimed attempt has ended, and its status callback has to wake the run.
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
      firstLookUp(unknown, now) ??
      firstToSend(open, unknown, now) ??
      firstToResolve(unknown, now) ??
      nextReceipt(open, now) ??
      untilNext(open, unknown, now);
    return last === undefined ? next : { ...next, last };
  });
}

/** The first look-up of an attempt, when it is due. Until then, its message may be in flight. */
function firstLookUp(unknown: readonly DeliveryRow[], now: number): NextDelivery | undefined {
  const due = unknown.find((delivery) => delivery.lookUps === 0 && lookUpAt(delivery) <= now);
  return due && { kind: 'resolve', deliveryId: due.id };
}

function firstToSend(
  open: readonly DeliveryRow[],
  unknown: readonly DeliveryRow[],
  now: number,
): NextDelivery | undefined {
  const inFlight = new Set(unknown.filter(({ lookUps }) => lookUps === 0).map(({ recipient }) => recipient));
  const waiting = new Set<string>();
  for (const delivery of open) {
    const { recipient, orderGroup, notBefore } = delivery;
    if (delivery.state !== 'queued' || inFlight.has(recipient)) continue;
    const place = `${orderGroup?.getTime() ?? 0} ${recipient}`;
    const isDue = (notBefore?.getTime() ?? now) <= now;
    if (isDue && !waiting.has(place)) return { kind: 'send', deliveryId: delivery.id };
    waiting.add(place);
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
