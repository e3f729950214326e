import {
  type CallTransferRow,
  findOpenTransfer,
  findTransferByUuid,
  patchTransfer,
  type TransferState,
} from '../../../db/calls/call-transfers.js';
import { type CarrierCallStatus, type PhoneCallRow, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { dialStatusOf, transferStatusAfter } from '../call-endings.js';
import { maxCallMs } from '../call-times.js';
import { askTransferGate, type TransferRefusal } from './transfer-gate.js';

/**
 * The transfer that the carrier is to dial now that the stream has closed; undefined if the agent asked for none, or if the safety
 * gate refuses it now: the call is back with the agent then. Asked again by the carrier, it is the same one.
 */
export async function beginTransfer(
  tx: Tx,
  call: PhoneCallRow,
  now: Date,
): Promise<CallTransferRow | undefined> {
  const open = await findOpenTransfer(tx, call.id);
  if (open?.state !== 'requested') return open;
  const asked = await askTransferGate(tx, call, open.phoneNumber, now);
  if ('refused' in asked) {
    await takeBack(tx, call, open, asked.refused, now);
    return undefined;
  }
  const { isAbroad, maxSeconds } = asked;
  const bounded = Math.min(maxSeconds, secondsLeft(call, now));
  return patchTransfer(tx, open.id, {
    state: 'dialing',
    dialedAt: now,
    updatedAt: now,
    maxSeconds: bounded,
    isAbroad,
  });
}

/** Nothing was dialled: what becomes of the call does not depend on the transfer. */
async function takeBack(
  tx: Tx,
  call: PhoneCallRow,
  transfer: CallTransferRow,
  refused: TransferRefusal,
  now: Date,
): Promise<void> {
  await patchTransfer(tx, transfer.id, {
    state: 'failed',
    blockedReason: refused,
    endedAt: now,
    updatedAt: now,
  });
  await patchPhoneCall(tx, call.id, { endedBy: null, transferBlockedReason: refused, updatedAt: now });
  if (call.chatId === null) return;
  const content = `The transfer to ${transfer.targetName} was not dialled, because a rule forbids it (${refused}): the call is back with the agent.`;
  await insertMessage(tx, { chatId: call.chatId, role: 'system', author: 'system', content });
}

const minTransferMs = 60_000;

/** The carrier ends a transferred call when it is as long as the longest: no run and no agent does. */
export function secondsLeft({ startedAt, createdAt }: PhoneCallRow, dialledAt: Date): number {
  const goneMs = dialledAt.getTime() - (startedAt ?? createdAt).getTime();
  return Math.ceil(Math.max(minTransferMs, maxCallMs - Math.max(0, goneMs)) / 1_000);
}

const states: Readonly<Record<CarrierCallStatus, TransferState>> = {
  completed: 'answered',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * Records what became of a transfer, once. An agent that gets the call back is told so by a note.
 * @param word the carrier's status of the call that it dialled; `isJoined`: whether the caller was joined with it, if it is known
 * @returns the transfer as it stands; undefined if the call has no such transfer
 */
export async function recordDialResult(
  tx: Tx,
  call: PhoneCallRow,
  { transferUuid, word, isJoined }: { transferUuid: string; word: string; isJoined?: boolean | undefined },
  now: Date,
): Promise<CallTransferRow | undefined> {
  const transfer = await findTransferByUuid(tx, transferUuid);
  if (transfer?.callId !== call.id) return undefined;
  if (transfer.endedAt !== null) return transfer;
  const status = dialStatusOf(word, isJoined);
  const state = states[status];
  const isBack = state !== 'answered' && call.finishedAt === null;
  const transferStatus = transferStatusAfter(call.transferStatus, status);
  // The carrier has reported the end of the call before that of the transfer.
  const isLate = call.finishedAt !== null && call.terminationReason === 'forward';
  await patchPhoneCall(tx, call.id, {
    transferStatus,
    ...(isBack ? { endedBy: null } : {}),
    ...(isLate ? { carrierStatus: transferStatus } : {}),
    updatedAt: now,
  });
  if (isBack && call.chatId !== null) {
    const content = `The transfer to ${transfer.targetName} did not come about (${state}): the call is back with the agent.`;
    await insertMessage(tx, { chatId: call.chatId, role: 'system', author: 'system', content });
  }
  return patchTransfer(tx, transfer.id, { state, endedAt: now, updatedAt: now });
}
