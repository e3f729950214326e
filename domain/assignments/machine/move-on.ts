import { patchChat } from '../../../db/conversations/chats.js';
import { noLongerStanding } from '../../kernel/call-person.js';
import type { Machine } from './machine.js';

/** Dismisses the call for a person that was made because nothing could move the assignment. */
export async function moveOn(machine: Machine): Promise<void> {
  if (machine.chat.standingReason === null) return;
  machine.chat = await patchChat(machine.tx, machine.chat.id, noLongerStanding(machine.chat));
}
