import { findOpenTransfer, insertTransfer } from '../../../db/calls/call-transfers.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/database.js';
import { endOurPart } from '../record-call-news.js';

/** To whom an agent transfers a call; the number comes from the definition. */
interface TransferTarget {
  name: string;
  phoneNumber: string;
  ringSeconds: number;
}

export const defaultRingSeconds = 25;

/**
 * Requests the transfer of a call that is up, in the transaction of the agent's tool call. The bridge closes the stream once
 * the agent's words were played, and the carrier then asks what follows. @returns false if one is under way
 */
export async function requestTransfer(
  tx: Tx,
  call: PhoneCallRow,
  { toolCallId, target, facts }: { toolCallId: string; target: TransferTarget; facts: string },
  now: Date,
): Promise<boolean> {
  if ((await findOpenTransfer(tx, call.id)) !== undefined) return false;
  await insertTransfer(tx, {
    callId: call.id,
    toolCallId,
    targetName: target.name,
    phoneNumber: target.phoneNumber,
    ringSeconds: target.ringSeconds,
    facts,
    state: 'requested',
  });
  await endOurPart(tx, { call }, 'transfer', now);
  return true;
}
