import { selectBridgesOfCall } from '../../db/calls/call-bridges.js';
import {
  type CarrierCallStatus,
  hasCallerSpoken,
  type PhoneCallRow,
  patchPhoneCall,
} from '../../db/calls/phone-calls.js';
import type { Tx } from '../../db/tx.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import { callCompletedEvent } from '../kernel/events/call-events.js';
import { writeEvents } from '../kernel/events/write-events.js';
import { pokeCallRun, pokeChatRun, startSummaryOfCall } from '../kernel/runs.js';
import { isHeld } from './bridges/is-held.js';
import { type EndedBy, endingOf, type FailureDetail } from './call-endings.js';
import { billDelaysMs, leaseMs } from './call-times.js';
import type { LockedCall } from './lock-call.js';
import { hasPromisedInVain } from './promised-handoff.js';

/** How a call ends, as far as the caller knows. */
export interface CallEnd {
  carrierStatus?: CarrierCallStatus;
  durationSeconds?: number | undefined;
  endedBy?: EndedBy;
  failureDetail?: FailureDetail;
  blockedReason?: string;
  /** The run needs no poke for what it does itself. */
  learntBy: 'run' | 'callback';
}

/**
 * Ends a call: records the outcome, gives the floor of the chat back, and tells those who wait for it. An ended call stays as
 * it is; only what the carrier says of one that ended without its word is taken in later.
 */
export async function finishCall(
  tx: Tx,
  { call, chat }: LockedCall,
  end: CallEnd,
  now: Date,
): Promise<PhoneCallRow> {
  if (call.finishedAt !== null) return correct(tx, call, end, now);
  const startedAt = call.startedAt ?? answeredBefore(call, end, now);
  const facts = {
    ...call,
    startedAt,
    carrierStatus: end.carrierStatus ?? call.carrierStatus,
    endedBy: call.endedBy ?? end.endedBy ?? null,
    failureDetail: call.failureDetail ?? end.failureDetail ?? null,
    blockedReason: end.blockedReason ?? call.blockedReason,
    bridges: await bridgesOf(tx, call, now),
    wasHeard: await hasCallerSpoken(tx, call.id),
  };
  const ending = endingOf(facts);
  // A call without a chat has no run that would ask.
  const isBilled = chat !== undefined && call.carrierCallId !== null && startedAt !== null;
  const finished = await patchPhoneCall(tx, call.id, {
    ...ending,
    endedBy: facts.endedBy,
    blockedReason: facts.blockedReason,
    startedAt,
    durationSeconds: end.durationSeconds ?? durationOf(call, now),
    measuredSeconds: durationOf(call, now),
    finishedAt: now,
    outcomeUnknown: false,
    billDueAt: isBilled ? new Date(now.getTime() + (billDelaysMs[0] ?? 0)) : null,
    updatedAt: now,
  });
  if (chat === undefined) return finished;
  await writeEvents(tx, [callCompletedEvent(chat, finished)], now);
  if (await hasPromisedInVain(tx, finished)) await alertColleague(tx, chat, 'handoff_promised');
  // The process that holds it may still store the only words.
  if (facts.wasHeard || isHeld(facts.bridges.at(-1), now)) await startSummaryOfCall(tx, chat, finished);
  await pokeChatRun(tx, chat);
  if (end.learntBy !== 'run') await pokeCallRun(tx, chat, finished);
  return finished;
}

/** A lease that has run out is a stream that was lost: nobody has been able to say so. */
async function bridgesOf(tx: Tx, { id }: PhoneCallRow, now: Date) {
  return (await selectBridgesOfCall(tx, id)).map((bridge) => {
    const { beganAt, endedAt, heartbeatAt } = bridge;
    if (beganAt === null || endedAt !== null) return bridge;
    const isOver = now.getTime() - (heartbeatAt ?? beganAt).getTime() > leaseMs;
    return isOver ? { ...bridge, endReason: 'lost' } : bridge;
  });
}

function durationOf({ startedAt }: PhoneCallRow, now: Date): number | null {
  return startedAt === null ? null : Math.max(0, Math.round((now.getTime() - startedAt.getTime()) / 1_000));
}

/** A completed call that has lasted was answered, also if the service was never told so nor asked what follows. */
function answeredBefore(
  { createdAt }: PhoneCallRow,
  { carrierStatus, durationSeconds = 0 }: CallEnd,
  now: Date,
): Date | null {
  if (carrierStatus !== 'completed' || durationSeconds === 0) return null;
  return new Date(Math.max(createdAt.getTime(), now.getTime() - durationSeconds * 1_000));
}

async function correct(
  tx: Tx,
  call: PhoneCallRow,
  { carrierStatus, durationSeconds }: CallEnd,
  now: Date,
): Promise<PhoneCallRow> {
  const wasAtCarrier = call.blockedReason === null || call.endedBy === 'closed';
  const isNews = carrierStatus !== undefined && call.carrierStatus === null && wasAtCarrier;
  const isMeasured = durationSeconds !== undefined && durationSeconds !== call.durationSeconds;
  if (!isNews && !isMeasured) return call;
  return patchPhoneCall(tx, call.id, {
    ...(isNews ? { status: carrierStatus, carrierStatus } : {}),
    ...(isMeasured ? { durationSeconds } : {}),
    updatedAt: now,
  });
}
