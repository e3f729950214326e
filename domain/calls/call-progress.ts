import type { CallBridgeRow } from '../../db/calls/call-bridges.js';
import { findLatestTransfer } from '../../db/calls/call-transfers.js';
import type { PhoneCallRow } from '../../db/calls/phone-calls.js';
import { assignmentsOfChats } from '../../db/conversations/chat-details.js';
import type { Tx } from '../../db/tx.js';
import type { CallProgress } from '../../workflows/contracts/steps.js';
import { isHeld } from './bridges/is-held.js';

/** How a call is that goes on, for operators: codes, times and names of configuration. */
export async function progressOf(
  tx: Tx,
  call: PhoneCallRow & { startedAt: Date },
  bridge: CallBridgeRow | undefined,
  now: Date,
): Promise<CallProgress> {
  const [transfer, [assignment]] = await Promise.all([
    findLatestTransfer(tx, call.id),
    assignmentsOfChats(tx, call.chatId === null ? [] : [call.chatId]),
  ]);
  const isHandedOn = call.endedBy === 'transfer' && transfer?.state === 'answered';
  const taskName = assignment?.currentTaskName;
  return {
    answeredAt: call.startedAt.getTime(),
    speaksWith: isHandedOn ? 'transfer' : isHeld(bridge, now) ? 'agent' : 'nobody',
    ...(taskName ? { taskName } : {}),
    ...(transfer === undefined ? {} : { transfer: { to: transfer.targetName, state: transfer.state } }),
  };
}
