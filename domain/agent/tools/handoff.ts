import { updateChat } from '../../../db/queries/chats.js';
import { insertMessage } from '../../../db/queries/messages.js';
import type { Tool } from './tool.js';

/** Hands the chat over to a person, who finds the reason in it. */
export const handOffChat: Tool = async ({ tx, now, chat }, input) => {
  await insertMessage(tx, {
    chatId: chat.id,
    role: 'system',
    content: `Handed over by the agent: ${String(input.reason)}`,
  });
  await updateChat(tx, chat.id, {
    paused: true,
    pausedAt: now,
    pausedReason: 'handoff',
    needsResponse: true,
  });
  return { ok: true };
};
