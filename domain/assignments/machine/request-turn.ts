import { raiseChatVersion } from '../../../db/conversations/chats.js';
import type { Entering } from './entering.js';
import { changeChat, type Machine } from './machine.js';

export async function requestTurn(machine: Machine, { inTurn }: Pick<Entering, 'inTurn'>): Promise<void> {
  if (inTurn) return;
  await changeChat(machine, (tx, chat) => raiseChatVersion(tx, chat.id));
}
