import { findOpenTransfer, insertTransfer } from '../../../db/calls/call-transfers.js';
import { type PhoneCallRow, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/tx.js';
import { endOurPart } from '../record-call-news.js';
import { askTransferGate, type TransferRefusal } from './transfer-gate.js';

/** To whom an agent transfers a call; the number comes from the definition. */
interface TransferTarget {
  name: string;
  phoneNumber: string;
  ringSeconds: number;
}

export const defaultRingSeconds = 25;

/**
 * Requests the transfer of a call that is up, in the transaction of the agent's tool call. The bridge closes the stream once
 * the agent's words were played, and the carrier then asks what follows. One that the safety gate refuses is kept with the
 * reason, and the call goes on. @returns why there is no transfer: one is under way, or the gate refuses it
 */
export async function requestTransfer(
  tx: Tx,
  call: PhoneCallRow,
  { toolCallId, target, facts }: { toolCallId: string; target: TransferTarget; facts: string },
  now: Date,
): Promise<TransferRefusal | 'under_way' | undefined> {
  if ((await findOpenTransfer(tx, call.id)) !== undefined) return 'under_way';
  const asked = await askTransferGate(tx, call, target.phoneNumber, now);
  const refused = 'refused' in asked ? asked.refused : undefined;
  await insertTransfer(tx, {
    callId: call.id,
    toolCallId,
    targetName: target.name,
    phoneNumber: target.phoneNumber,
    ringSeconds: target.ringSeconds,
    facts,
    ...(refused === undefined
      ? { state: 'requested' }
      : { state: 'failed', blockedReason: refused, endedAt: now }),
  });
  if (refused === undefined) await endOurPart(tx, { call }, 'transfer', now);
  else await patchPhoneCall(tx, call.id, { transferBlockedReason: refused, updatedAt: now });
  return refused;
}
