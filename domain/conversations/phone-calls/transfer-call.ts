import { findTransferByUuid } from '../../../db/calls/call-transfers.js';
import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { workspaceLocaleOf } from '../../../db/identity/workspaces.js';
import type { Tx } from '../../../db/tx.js';
import { transferAddress } from '../../calls/call-addresses.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import type { LockedCall } from '../../calls/lock-call.js';
import { beginTransfer, secondsLeft } from '../../calls/transfers/answer-transfer.js';
import { textInLocale } from '../../channels/business-hours/closed-texts.js';
import type { Calling } from './calling.js';

/** Has the carrier dial the target of the transfer that the agent has announced; undefined if there is none, or it is refused. */
export async function dialTransfer(
  tx: Tx,
  { apiUrl }: Calling,
  workspaceUuid: string,
  { call }: Pick<LockedCall, 'call'>,
  now: Date,
): Promise<CallInstruction[] | undefined> {
  const transfer = await beginTransfer(tx, call, now);
  if (transfer === undefined) return undefined;
  const number = await findPhoneNumber(tx, call.phoneNumberId);
  const place = { workspaceUuid, callUuid: call.uuid };
  return [
    {
      do: 'dial',
      number: transfer.phoneNumber,
      // A call that the service has begun has no caller whose number could be shown.
      ...(number === undefined ? {} : { callerId: number.number }),
      ringSeconds: transfer.ringSeconds,
      // Those of the last release have no bound of their own.
      maxSeconds: transfer.maxSeconds ?? secondsLeft(call, transfer.dialedAt ?? now),
      announceUrl: transferAddress(apiUrl, place, transfer.uuid, 'announcement'),
      resultUrl: transferAddress(apiUrl, place, transfer.uuid, 'result'),
    },
  ];
}

/**
 * What the person hears who takes a transfer, before both are joined: the words of the agent, and nothing but words. Nothing,
 * if the call has no such transfer.
 */
export async function announceTransfer(
  tx: Tx,
  { call }: Pick<LockedCall, 'call'>,
  transferUuid: string,
): Promise<CallInstruction[]> {
  const transfer = await findTransferByUuid(tx, transferUuid);
  if (transfer?.callId !== call.id || transfer.facts === '') return [];
  return [{ do: 'say', ...textInLocale(transfer.facts, await workspaceLocaleOf(tx)) }];
}
