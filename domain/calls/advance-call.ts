import { type CallBridgeRow, findLatestBridge } from '../../db/calls/call-bridges.js';
import { type PhoneCallRow, patchPhoneCall } from '../../db/calls/phone-calls.js';
import { isWorkspaceHeld } from '../../db/definitions/workspace-holds.js';
import { findMember } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import type { CallOutcome } from '../../workflows/contracts/steps.js';
import type { ServiceContext } from '../kernel/context.js';
import { isHeld } from './bridges/is-held.js';
import type { NextCallStep } from './call-actions.js';
import type { EndedBy } from './call-endings.js';
import type { CallPrices } from './call-prices.js';
import { progressOf } from './call-progress.js';
import {
  answerWithinMs,
  billDelaysMs,
  checkEveryMs,
  endGraceMs,
  holdCheckMs,
  lookUpDelaysMs,
  maxCallMs,
  silentForMs,
  unansweredForMs,
} from './call-times.js';
import type { PhoneCallRef } from './claim-call.js';
import { differencesOf, expectedPriceOf, reportDifferences } from './compare-bill.js';
import { finishCall } from './finish-call.js';
import { type LockedCall, lockCall } from './lock-call.js';
import { endOurPart, recordCallNews } from './record-call-news.js';
import { releaseCall } from './release-call.js';

/** Decides what the run of a call does next. Idempotent: it reads nothing but the database and the clock. */
export async function nextOfCall(context: ServiceContext, ref: PhoneCallRef): Promise<NextCallStep> {
  const now = context.clock.now();
  return context.db.inWorkspace(ref.workspaceId, async (tx): Promise<NextCallStep> => {
    const locked = await lockCall(tx, ref);
    if (locked === undefined) return { kind: 'ended', status: 'gone' };
    const { call } = locked;
    if (call.finishedAt !== null) return afterEnd(tx, call, now);
    if (call.carrierCallId === null) return await beforeDialled(tx, locked, now);
    const carrierCallId = call.carrierCallId;
    const { startedAt } = call;
    if (startedAt === null) return beforeAnswer({ ...call, carrierCallId }, now);
    return await whileUp(context, tx, { ...locked, call: { ...call, carrierCallId, startedAt } }, now);
  });
}

type AtCarrier = PhoneCallRow & { carrierCallId: string };
type Answered = AtCarrier & { startedAt: Date };

async function beforeDialled(tx: Tx, locked: LockedCall, now: Date): Promise<NextCallStep> {
  const { claimedAt, lookUps } = locked.call;
  if (locked.call.inbound) {
    return endedStep(await finishCall(tx, locked, { failureDetail: 'error', learntBy: 'run' }, now));
  }
  if (claimedAt === null) {
    const isHeld = await isWorkspaceHeld(tx);
    return isHeld ? { kind: 'wait', until: now.getTime() + holdCheckMs, for: 'held' } : { kind: 'dial' };
  }
  const dueAt = claimedAt.getTime() + (lookUpDelaysMs[lookUps] ?? 0);
  return dueAt <= now.getTime() ? { kind: 'find' } : { kind: 'wait', until: dueAt, for: 'outcome' };
}

function beforeAnswer(call: AtCarrier, now: Date): NextCallStep {
  const dialledAt = (call.dialedAt ?? call.createdAt).getTime();
  const { carrierCallId, hungUpAt } = call;
  const askedAt = call.askedAt?.getTime() ?? 0;
  if (hungUpAt !== null) {
    const endAt = askedAt > hungUpAt.getTime() ? askedAt + silentForMs : 0;
    return endAt > now.getTime()
      ? { kind: 'wait', until: endAt, for: 'release' }
      : { kind: 'end', carrierCallId };
  }
  // A call that rings for so long is not answered any more, and the carrier does not end it.
  const isOver = now.getTime() >= dialledAt + 2 * answerWithinMs;
  const pause = isOver ? silentForMs : answerWithinMs;
  const dueAt = Math.max(dialledAt + answerWithinMs, askedAt + pause);
  if (dueAt > now.getTime()) return { kind: 'wait', until: dueAt, for: 'answer' };
  return { kind: isOver ? 'end' : 'ask', carrierCallId };
}

async function whileUp(
  context: ServiceContext,
  tx: Tx,
  { call: before, chat }: LockedCall & { call: Answered },
  now: Date,
): Promise<NextCallStep> {
  const ends = before.endedBy === null ? await whatEnds(tx, { call: before, chat }, now) : undefined;
  const call = ends === undefined ? before : await endOurPart(tx, { call: before }, ends, now);
  const { carrierCallId, startedAt } = before;
  const current = { call: { ...call, carrierCallId, startedAt }, chat };
  const isTooLong = call.endedBy !== null && now.getTime() >= deadlineOf(call);
  const isHungUp = call.hungUpAt !== null;
  if (isTooLong || isHungUp || releasedByUs.has(call.endedBy)) return releaseCall(context, tx, current, now);
  const bridge = await findLatestBridge(tx, call.id);
  const dueAt = nextCheck(call, bridge, now);
  if (dueAt > now.getTime()) {
    const progress = await progressOf(tx, current.call, bridge, now);
    return { kind: 'wait', until: dueAt, for: 'end', call: progress };
  }
  // The process that was to end the call has died before it did.
  const isLeft = call.endedBy !== null && call.endedBy !== 'transfer' && !isHeld(bridge, now);
  return isLeft ? releaseCall(context, tx, current, now) : { kind: 'ask', carrierCallId };
}

/** What ends our part of a call that goes on. */
async function whatEnds(tx: Tx, { call, chat }: LockedCall, now: Date): Promise<EndedBy | undefined> {
  if (chat === undefined || chat.archived || (await findMember(tx, chat.memberId)) === undefined) {
    return 'handoff';
  }
  return now.getTime() >= startOf(call) + maxCallMs ? 'deadline' : undefined;
}

/** Ends of our part that neither the agent nor the other side brings about. */
const releasedByUs: ReadonlySet<string | null> = new Set([
  'voicemail',
  'amd_unknown',
  'fax',
  'deadline',
  'handoff',
  'hung_up',
]);

/** When the run ends a call; a little later, if that should be over by then without it: the carrier ends transfers by itself. */
function deadlineOf(call: PhoneCallRow): number {
  return startOf(call) + maxCallMs + (call.endedBy === null ? 0 : endGraceMs);
}

/** When the carrier is asked: soon if nobody holds the sound, else now and then. */
function nextCheck(call: PhoneCallRow, bridge: CallBridgeRow | undefined, now: Date): number {
  const lookedAt = Math.max(startOf(call), call.askedAt?.getTime() ?? 0);
  const deadline = deadlineOf(call);
  if (isHeld(bridge, now) || call.endedBy === 'transfer') {
    // A look that finds the sound held asks nothing: it is due again after another pause.
    const looks = Math.floor((now.getTime() - lookedAt) / checkEveryMs) + 1;
    return Math.min(lookedAt + looks * checkEveryMs, deadline);
  }
  const silentSince = Math.max(lookedAt, bridge?.endedAt?.getTime() ?? 0);
  return Math.min(silentSince + silentForMs, deadline);
}

function startOf({ startedAt, createdAt }: PhoneCallRow): number {
  return (startedAt ?? createdAt).getTime();
}

async function afterEnd(tx: Tx, call: PhoneCallRow, now: Date): Promise<NextCallStep> {
  const { billDueAt, carrierCallId } = call;
  if (billDueAt === null || carrierCallId === null) {
    if (call.settledAt === null) await patchPhoneCall(tx, call.id, { settledAt: now, updatedAt: now });
    return endedStep(call);
  }
  if (billDueAt <= now) return { kind: 'ask', carrierCallId };
  return { kind: 'wait', until: billDueAt.getTime(), for: 'bill', ended: outcomeOf(call) };
}

function endedStep(call: PhoneCallRow): NextCallStep {
  return { kind: 'ended', ...outcomeOf(call) };
}

function outcomeOf(call: PhoneCallRow): CallOutcome {
  const { status, terminationReason, failureDetail, transferStatus, startedAt, durationSeconds, credits } =
    call;
  return {
    status,
    ...(terminationReason === null ? {} : { reason: terminationReason }),
    ...(failureDetail === null ? {} : { failure: failureDetail }),
    ...(transferStatus === null ? {} : { transfer: transferStatus }),
    ...(startedAt === null || durationSeconds === null ? {} : { seconds: durationSeconds }),
    ...(credits === 0 ? {} : { credits }),
  };
}

/** What the carrier says of a call that it was asked about. */
export interface AskedCall {
  carrierCallId: string;
  status: string;
  durationSeconds?: number;
  price?: { amount: string; currency: string };
  answeredBy?: string;
}

/** Records the answer of the carrier; undefined: it has no such call. */
export async function recordAsked(
  { db, clock, callPrices }: ServiceContext & { callPrices?: CallPrices | undefined },
  ref: PhoneCallRef,
  asked: AskedCall | undefined,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(ref.workspaceId, async (tx) => {
    const locked = await lockCall(tx, ref);
    if (locked === undefined) return;
    if (locked.call.finishedAt !== null) return await recordBill(tx, locked, asked, callPrices, now);
    const call = await patchPhoneCall(tx, locked.call.id, { askedAt: now, updatedAt: now });
    if (asked === undefined) {
      await finishCall(tx, { ...locked, call }, { failureDetail: 'error', learntBy: 'run' }, now);
      return;
    }
    const known = await recordCallNews(tx, { ...locked, call }, { ...asked, learntBy: 'run' }, now);
    await giveUp(tx, { ...locked, call: known }, now);
  });
}

/** Ends a call that must be over, and whose carrier does not say so or cannot be asked. @returns whether it has ended */
export async function giveUpCall({ db, clock }: ServiceContext, ref: PhoneCallRef): Promise<boolean> {
  const now = clock.now();
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const locked = await lockCall(tx, ref);
    return locked !== undefined && (await giveUp(tx, locked, now));
  });
}

async function giveUp(tx: Tx, locked: LockedCall, now: Date): Promise<boolean> {
  const { call } = locked;
  if (call.finishedAt !== null || now.getTime() < overAt(call) + unansweredForMs) return false;
  await finishCall(tx, locked, { failureDetail: 'timeout', learntBy: 'run' }, now);
  return true;
}

/** When a call must be over at the latest. */
function overAt(call: PhoneCallRow): number {
  const { carrierCallId, claimedAt, dialedAt, createdAt, startedAt, releasedAt } = call;
  // One that is not claimed was not dialled, and its next claim gives it up.
  if (carrierCallId === null) return (claimedAt?.getTime() ?? Number.POSITIVE_INFINITY) + lastLookUpMs;
  if (startedAt === null) return (dialedAt ?? createdAt).getTime() + 2 * answerWithinMs;
  return releasedAt?.getTime() ?? startOf(call) + maxCallMs;
}

const lastLookUpMs = Math.max(...lookUpDelaysMs);

/** Takes in what an ended call has cost and lasted; asked again later while the carrier has not billed it. */
async function recordBill(
  tx: Tx,
  locked: LockedCall,
  asked: AskedCall | undefined,
  prices: CallPrices | undefined,
  now: Date,
): Promise<void> {
  const call =
    asked === undefined ? locked.call : await recordCallNews(tx, locked, { ...asked, learntBy: 'run' }, now);
  const price = asked?.price;
  const isBilled = asked === undefined || price !== undefined;
  const billDueAt = isBilled ? null : nextBill(call, now);
  const billed = await patchPhoneCall(tx, call.id, {
    ...(price === undefined
      ? {}
      : {
          price: Math.abs(Number(price.amount)),
          priceUnit: price.currency,
          expectedPrice: expectedPriceOf(prices, call, price.currency) ?? null,
        }),
    billDueAt,
    updatedAt: now,
  });
  if (billDueAt !== null) return;
  const missing = asked === undefined ? 'unknown_call' : price === undefined ? 'no_price' : undefined;
  reportDifferences(tx, missing === undefined ? differencesOf(billed) : [missing]);
}

function nextBill({ finishedAt }: PhoneCallRow, now: Date): Date | null {
  const endedAt = (finishedAt ?? now).getTime();
  const delay = billDelaysMs.find((after) => endedAt + after > now.getTime());
  return delay === undefined ? null : new Date(endedAt + delay);
}
