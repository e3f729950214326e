import { patchChat } from '../../../db/conversations/chats.js';
import { withdrawApproval } from '../../chat-state/approvals.js';
import { leftForPerson } from '../../chat-state/left-for-person.js';
import { changeChat, type Machine } from './machine.js';

/** `clearStandingAlert` where a task is left: a tool call that waits for approval was of this task, and is withdrawn. */
export async function leaveTask(machine: Machine): Promise<void> {
  await changeChat(machine, withdrawApproval);
  await clearStandingAlert(machine);
}

/** Dismisses the alert that was made because nothing could move the assignment. One for another reason stays. */
export async function clearStandingAlert(machine: Machine): Promise<void> {
  const { tx, chat } = machine;
  const { standingReason, needsResponseReason } = chat;
  if (standingReason === null) return;
  const moved = { standingReason: null };
  const isDismissed = needsResponseReason === standingReason;
  const left = isDismissed ? await leftForPerson(tx, { ...chat, ...moved }) : {};
  await changeChat(machine, () => patchChat(tx, chat.id, { ...moved, ...left }));
}
