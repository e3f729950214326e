import { patchChat } from '../../../db/conversations/chats.js';
import { withdrawApproval } from '../../chat-state/approvals.js';
import { noLongerStanding } from '../../kernel/call-person.js';
import type { Machine } from './machine.js';

/** Dismisses the call for a person that was made because nothing could move the assignment. */
export async function moveOn(machine: Machine): Promise<void> {
  if (machine.chat.standingReason === null) return;
  machine.chat = await patchChat(machine.tx, machine.chat.id, noLongerStanding(machine.chat));
}

/** `moveOn` where a task is left: a tool call that waits for approval was of this task, and is withdrawn. */
export async function leaveTask(machine: Machine): Promise<void> {
  machine.chat = await withdrawApproval(machine.tx, machine.chat, machine.now);
  await moveOn(machine);
}
