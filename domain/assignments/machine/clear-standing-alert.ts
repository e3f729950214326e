import { patchChat } from '../../../db/conversations/chats.js';
import { leftForPerson } from '../../chat-state/left-for-person.js';
import { changeChat, type Machine } from './machine.js';

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
