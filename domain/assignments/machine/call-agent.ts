import { raiseChatVersion } from '../../../db/conversations/chats.js';
import type { Entering } from './entering.js';
import type { Machine } from './machine.js';

export async function callAgent(machine: Machine, { inTurn }: Pick<Entering, 'inTurn'>): Promise<void> {
  if (inTurn) return;
  machine.chat = await raiseChatVersion(machine.tx, machine.chat.id);
}
