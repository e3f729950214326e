import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { lockChat, patchChat } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import type { ToolOutcome } from '../../../workflows/contracts/steps.js';
import { passOnUnanswered } from '../../assignments/machine/conclude.js';
import { changeChat, currentTask, type Machine, rowOf } from '../../assignments/machine/machine.js';
import { whyUndeliverable } from '../../channels/deliveries/queue-delivery.js';
import { optsOut } from '../tools/tools.js';
import type { LockedTurn } from './locked-turn.js';

/** Decides whether the turn continues. If it ends, marks the chat's version that it answered as handled. */
export async function settleTurn(tx: Tx, turn: LockedTurn, now: Date): Promise<ToolOutcome> {
  return outcomeOf(turn, await endsTurn(tx, turn, now));
}

export function outcomeOf({ machine }: LockedTurn, ends: boolean): ToolOutcome {
  return machine === undefined ? { endsTurn: ends } : { endsTurn: ends, taskName: currentTask(machine).name };
}

async function endsTurn(tx: Tx, turn: LockedTurn, now: Date): Promise<boolean> {
  const { machine, message, call, isHeld } = turn;
  const chat = await lockChat(tx, turn.chat.id);
  if (chat === undefined) return true;
  // The service has confirmed it, and a reply would be refused.
  const isSilenced = optsOut(call.function.name) && (await whyUndeliverable(tx, chat, now)) === 'opted_out';
  const concluded = machine !== undefined && machine.assignment.status !== 'active';
  const movedOn = machine !== undefined && (await hasMovedOn(tx, machine, message));
  // In a hold, the turn stays due.
  if (!concluded && !movedOn && !isSilenced && !chat.paused) return isHeld;

  const handledVersion = Math.max(chat.handledVersion, message.turnVersion ?? 0);
  const settled = await patchChat(tx, chat.id, { handledVersion });
  if (machine !== undefined) {
    await changeChat(machine, async () => settled);
    if (concluded) await passOnUnanswered(machine);
  }
  return true;
}

/** Whether the assignment has moved to an incomplete task in which the agent does not speak. */
async function hasMovedOn(tx: Tx, machine: Machine, { taskId }: MessageRow): Promise<boolean> {
  const task = currentTask(machine);
  if (task.id === taskId || task.taskType === 'conversation' || task.taskType === 'collect') return false;
  if (rowOf(machine, task).completedAt !== null) return false;
  return task.taskType !== 'call' || (await findOpenCall(tx, machine.chat.id)) === undefined;
}
