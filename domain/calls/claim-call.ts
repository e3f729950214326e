import {
  findPhoneCallAtCarrier,
  type PhoneCallRow,
  patchPhoneCall,
  selectAttemptsToDial,
} from '../../db/calls/phone-calls.js';
import { findPhoneNumber } from '../../db/channels/phone-numbers.js';
import { heldMsSince } from '../../db/definitions/workspace-holds.js';
import type { Tx } from '../../db/tx.js';
import { claimUnderLock, holdOptOuts } from '../channels/outreach/claim-under-lock.js';
import { agentMaySpeak } from '../kernel/agent-due.js';
import { isClaimedByAnother } from '../kernel/at-most-once.js';
import type { ServiceContext } from '../kernel/context.js';
import { dialWithinMs, lookUpDelaysMs } from './call-times.js';
import { finishCall } from './finish-call.js';
import { type LockedCall, lockCall } from './lock-call.js';
import { recordCallNews } from './record-call-news.js';
import { refusalOfCall } from './safety-gate.js';

export interface PhoneCallRef {
  workspaceId: number;
  callId: number;
}

/** What the addresses of a call's callbacks name. */
export interface CallPlace {
  workspaceUuid: string;
  chatId: number;
  phoneNumberId: number;
  callId: number;
  callUuid: string;
}

export type CallClaim =
  | { kind: 'claimed'; from: string; to: string; place: CallPlace; attempt: number }
  | { kind: 'claimed_before' }
  | { kind: 'settled' };

/**
 * Claims the dialling of a call before the carrier is asked, and asks the safety gate at that moment. An attempt that another
 * token claimed and that has no result may have been dialled, so it is never claimed again.
 */
export async function claimCall(
  context: ServiceContext,
  ref: PhoneCallRef,
  token: string,
): Promise<CallClaim> {
  const now = context.clock.now();
  return claimUnderLock(context.db, ref.workspaceId, async (tx): Promise<CallClaim> => {
    const locked = await lockCall(tx, ref);
    const { call, chat } = locked ?? {};
    if (locked === undefined || call === undefined || call.finishedAt !== null) return { kind: 'settled' };
    if (isClaimedByAnother(call, token)) return { kind: 'claimed_before' };
    if (call.carrierCallId !== null || chat === undefined) return { kind: 'settled' };
    // Somebody hung up while the carrier took no calls.
    if (call.hungUpAt !== null) return settle(tx, locked, { endedBy: 'hung_up' }, now);
    const [number, workspace] = await Promise.all([
      findPhoneNumber(tx, call.phoneNumberId),
      context.db.identity.workspaces.findById(ref.workspaceId, tx),
    ]);
    const { remoteNumber } = call;
    if (number === undefined || workspace === undefined || remoteNumber === null) {
      return settle(tx, locked, { failureDetail: 'error' }, now);
    }
    if (await isTooLate(tx, call, now)) {
      return settle(tx, locked, { failureDetail: 'timeout' }, now);
    }
    // It was switched off while the carrier took no calls.
    if (!number.voiceEnabled) return settle(tx, locked, { endedBy: 'voice_disabled' }, now);
    const toDial = { call: { id: call.id, remoteNumber }, chat, from: number.number, now };
    await holdOptOuts(tx, { memberId: chat.memberId, recipient: remoteNumber });
    const blockedReason = await refusalOfCall(context, tx, toDial);
    if (blockedReason !== undefined) return settle(tx, locked, { blockedReason }, now);
    // Who answers would be hung up on.
    if (!agentMaySpeak(chat)) return settle(tx, locked, { endedBy: 'handoff' }, now);
    const attempt = call.claimToken === token ? call.attempts : call.attempts + 1;
    await patchPhoneCall(tx, call.id, {
      claimToken: token,
      claimedAt: now,
      attempts: attempt,
      outcomeUnknown: false,
      lookUps: 0,
      updatedAt: now,
    });
    const place = {
      workspaceUuid: workspace.uuid,
      chatId: chat.id,
      phoneNumberId: number.id,
      callId: call.id,
      callUuid: call.uuid,
    };
    return { kind: 'claimed', from: number.number, to: remoteNumber, place, attempt };
  });
}

/** Without the time in which the workspace was held. */
async function isTooLate(tx: Tx, { createdAt }: PhoneCallRow, now: Date): Promise<boolean> {
  const lateMs = now.getTime() - createdAt.getTime() - dialWithinMs;
  return lateMs >= 0 && (await heldMsSince(tx, createdAt, now)) <= lateMs;
}

async function settle(
  tx: Tx,
  locked: LockedCall,
  end: Omit<Parameters<typeof finishCall>[2], 'learntBy'>,
  now: Date,
): Promise<CallClaim> {
  await finishCall(tx, locked, { ...end, learntBy: 'run' }, now);
  return { kind: 'settled' };
}

/** Runs `work` with the call locked that this token has claimed; nothing where it is claimed no more. */
async function whileClaimed(
  { db, clock }: ServiceContext,
  ref: PhoneCallRef,
  token: string,
  work: (tx: Tx, locked: LockedCall, now: Date) => Promise<unknown>,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(ref.workspaceId, async (tx) => {
    const locked = await lockCall(tx, ref);
    if (locked?.call.claimToken === token) await work(tx, locked, now);
  });
}

/** Records that the carrier has taken the call. A callback may have come before. */
export async function recordDialled(
  context: ServiceContext,
  ref: PhoneCallRef,
  token: string,
  { carrierCallId, status }: { carrierCallId: string; status: string },
): Promise<void> {
  await whileClaimed(context, ref, token, (tx, locked, now) =>
    recordCallNews(tx, locked, { carrierCallId, status, learntBy: 'run' }, now),
  );
}

/** Records that the carrier refused to dial. */
export async function recordRefused(
  context: ServiceContext,
  ref: PhoneCallRef,
  token: string,
): Promise<void> {
  await whileClaimed(context, ref, token, (tx, locked, now) =>
    finishCall(
      tx,
      locked,
      { carrierStatus: 'failed', failureDetail: 'bridge_call_create_failed', learntBy: 'run' },
      now,
    ),
  );
}

/** Releases a claim of a call that was certainly not dialled. `counts`: false if the carrier did not look at the request. */
export async function releaseCall(
  context: ServiceContext,
  ref: PhoneCallRef,
  { token, counts }: { token: string; counts: boolean },
): Promise<void> {
  await whileClaimed(context, ref, token, async (tx, { call }, now) => {
    if (call.carrierCallId !== null || call.finishedAt !== null) return;
    const attempts = counts ? call.attempts : call.attempts - 1;
    await patchPhoneCall(tx, call.id, { claimToken: null, claimedAt: null, attempts, updatedAt: now });
  });
}

/** The code of an answer of the carrier that names no call. */
const unreadable = 'unreadable_answer';

/** Records that it is not known whether the call was dialled: it is looked for. */
export async function recordUnknown(
  context: ServiceContext,
  ref: PhoneCallRef,
  token: string,
  code: string,
): Promise<void> {
  await whileClaimed(context, ref, token, async (tx, { call }, now) => {
    if (call.carrierCallId !== null || call.finishedAt !== null) return;
    const missing = code === unreadable ? ({ failureDetail: 'bridge_call_create_missing_sid' } as const) : {};
    await patchPhoneCall(tx, call.id, { outcomeUnknown: true, ...missing, updatedAt: now });
  });
}

/** How a call is found in the carrier's list that it may have taken. */
export interface UnknownCall {
  from: string;
  to: string;
  claimedAt: Date;
  claimsBefore: Date[];
  claimsAfter: Date[];
  knownIds: string[];
}

const attemptsToCompare = 50;

/** Returns a claimed call without a result, with what distinguishes it from others between its numbers. */
export async function findUnknownCall(
  { db }: ServiceContext,
  ref: PhoneCallRef,
): Promise<UnknownCall | undefined> {
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const { call } = (await lockCall(tx, ref)) ?? {};
    if (call === undefined || call.carrierCallId !== null || call.finishedAt !== null) return undefined;
    const number = await findPhoneNumber(tx, call.phoneNumberId);
    const { claimedAt, remoteNumber } = call;
    if (claimedAt === null || number === undefined || remoteNumber === null) return undefined;
    const attempts = await selectAttemptsToDial(tx, call, attemptsToCompare);
    const open = attempts.filter(({ callId, unknownSince }) => callId !== call.id && unknownSince !== null);
    const isBefore = ({ unknownSince }: { unknownSince: Date | null }) =>
      Number(unknownSince) <= Number(claimedAt);
    const times = (some: typeof open) => some.flatMap(({ unknownSince }) => unknownSince ?? []);
    return {
      from: number.number,
      to: remoteNumber,
      claimedAt,
      claimsBefore: times(open.filter(isBefore)),
      claimsAfter: times(open.filter((one) => !isBefore(one))),
      knownIds: attempts.flatMap(({ carrierCallId }) => carrierCallId ?? []),
    };
  });
}

/** Records what a look-up found. After the last one that found nothing, the call ends: it is never dialled again. */
export async function recordLookUp(
  { db, clock }: ServiceContext,
  ref: PhoneCallRef,
  found: { carrierCallId: string; status: string; durationSeconds?: number } | undefined,
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(ref.workspaceId, async (tx) => {
    const locked = await lockCall(tx, ref);
    if (locked === undefined) return;
    const { call } = locked;
    if (call.carrierCallId !== null || call.finishedAt !== null) return;
    if (found !== undefined && (await findPhoneCallAtCarrier(tx, found.carrierCallId)) === undefined) {
      await recordCallNews(tx, locked, { ...found, learntBy: 'run' }, now);
      return;
    }
    const lookUps = call.lookUps + 1;
    const looked = await patchPhoneCall(tx, call.id, { lookUps, outcomeUnknown: true, updatedAt: now });
    if (lookUps < lookUpDelaysMs.length) return;
    await finishCall(tx, { ...locked, call: looked }, { failureDetail: 'error', learntBy: 'run' }, now);
  });
}
