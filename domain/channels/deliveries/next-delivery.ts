import {
  type DeliveryRow,
  findDelivery,
  recordOutcomeUnknown,
  selectDueDeliveries,
} from '../../../db/channels/deliveries.js';
import { isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { channelOf } from './channels.js';
import { lookUpDelaysMs } from './delivery-lookup.js';

export type NextDelivery =
  | {
      kind: 'send';
      deliveryId: number;
      /** It has to wait for its time first (`awaitTime`). */
      begins?: true;
      /** It needs a place at its provider first. */
      needsPlace?: true;
    }
  | { kind: 'resolve'; deliveryId: number }
  | { kind: 'ask_for_receipt'; deliveryId: number }
  | { kind: 'wait'; until: number; code?: 'quiet_hours' | 'pace' }
  | { kind: 'idle'; isHeld?: true };

/** The delivery of which a step asks what became of it. */
type Seen = Pick<DeliveryRow, 'messageId' | 'state' | 'failureReason'>;

interface AskedNext {
  chatId: number;
  lastDeliveryId?: number;
}

/** The next action, and what became of the delivery of the action before. */
export type Following = NextDelivery & { last?: Seen | undefined };

/**
 * Returns the next action for a chat's deliveries, and what became of the delivery of the action before. Messages to one
 * recipient keep their order: nothing is sent to it while an attempt may be in progress; a held or retried message delays
 * only its order group, and an attempt without a result nothing after its first look-up. What begins an
 * exchange delays no answer while it waits, and what quiet hours hold delays nothing: what comes after it is held as long. Only the run calls this, between
 * two attempts: a claimed attempt has ended, and its status callback has to wake the run.
 */
export async function nextDelivery(
  { db, clock }: ServiceContext,
  { workspaceId, ...input }: { workspaceId: number } & AskedNext,
): Promise<Following> {
  return db.inWorkspace(workspaceId, (tx) => nextDeliveryIn(tx, input, clock.now()));
}

/** @param token of the claim that the caller makes next: a delivery that has it already is that one */
export async function nextDeliveryIn(
  tx: Tx,
  { chatId, lastDeliveryId }: AskedNext,
  at: Date,
  token?: string,
): Promise<Following> {
  const now = at.getTime();
  const [found, isWorkspaceOnHold, last] = await Promise.all([
    selectDueDeliveries(tx, chatId, at),
    isWorkspaceHeld(tx),
    lastDeliveryId === undefined ? undefined : findDelivery(tx, lastDeliveryId),
  ]);
  const own = found.find(({ state, claimToken }) => state === 'claimed' && claimToken === token);
  if (own !== undefined) return { kind: 'send', deliveryId: own.id };
  const open = isWorkspaceOnHold ? found.filter(goesOnInHold) : found;
  const unknown: DeliveryRow[] = [];
  for (const delivery of open) {
    if (delivery.state !== 'claimed') continue;
    if (delivery.outcomeUnknown || (await recordOutcomeUnknown(tx, delivery.id))) unknown.push(delivery);
  }
  const next =
    firstLookUp(unknown, now) ??
    firstToSend(open, unknown, now) ??
    firstToResolve(unknown, now) ??
    nextReceipt(open, now) ??
    untilNext(open, unknown, now);
  const then = next.kind === 'idle' && open.length < found.length ? { ...next, isHeld: true as const } : next;
  return last === undefined ? then : { ...then, last };
}

/** What a hold of the workspace does not stop: the law wants it said at once, or it is at the carrier already. */
function goesOnInHold({ state, purpose }: DeliveryRow): boolean {
  return state !== 'queued' || purpose === 'opt_out_confirmation';
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
  const startedLater = new Set<string>();
  for (const delivery of open) {
    const { recipient, orderGroup, notBefore, begunBy } = delivery;
    if (delivery.state !== 'queued' || inFlight.has(recipient) || isHeld(delivery, now)) continue;
    const place = `${orderGroup?.getTime() ?? 0} ${recipient}`;
    const isStarted = begunBy !== null;
    const isDue = (notBefore?.getTime() ?? now) <= now;
    if (isDue && !waiting.has(place) && !(isStarted && startedLater.has(place))) {
      const { needsPlace } = channelOf(delivery);
      return {
        kind: 'send',
        deliveryId: delivery.id,
        ...(isStarted ? { begins: true } : {}),
        ...(needsPlace ? { needsPlace } : {}),
      };
    }
    (isStarted ? startedLater : waiting).add(place);
  }
  return undefined;
}

function waitsForSlot({ slotAt }: DeliveryRow, now: number): boolean {
  return slotAt !== null && slotAt.getTime() > now;
}

function isHeld({ heldUntil }: DeliveryRow, now: number): boolean {
  return heldUntil !== null && heldUntil.getTime() > now;
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
  const waits = open
    .filter(({ state, notBefore }) => state === 'queued' && Number(notBefore) > now)
    .map((delivery) => ({ until: Number(delivery.notBefore), ...whyWaiting(delivery, now) }));
  const all = [...waits, ...unknown.map((delivery) => ({ until: lookUpAt(delivery) }))];
  const [first] = all.sort((one, other) => one.until - other.until);
  return first === undefined ? { kind: 'idle' } : { kind: 'wait', ...first };
}

function whyWaiting(delivery: DeliveryRow, now: number): { code?: 'quiet_hours' | 'pace' } {
  if (isHeld(delivery, now)) return { code: 'quiet_hours' };
  return waitsForSlot(delivery, now) ? { code: 'pace' } : {};
}

function lookUpAt({ claimedAt, lookUps }: DeliveryRow): number {
  return (claimedAt?.getTime() ?? 0) + (lookUpDelaysMs[Math.min(lookUps, lookUpDelaysMs.length - 1)] ?? 0);
}
