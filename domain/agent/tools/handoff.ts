import { insertMessage } from '../../../db/conversations/messages.js';
import { paused } from '../../chat-state/pause.js';
import { callPerson } from '../../kernel/call-person.js';
import type { Tool } from './tool.js';

/** Hands the chat over to a person and stores the reason as a note in the chat. */
export const handOffChat: Tool = async ({ tx, now, chat, performer }, input) => {
  await insertMessage(tx, {
    chatId: chat.id,
    role: 'system',
    content: `Handed over by the ${performer.by}: ${String(input.reason)}`,
  });
  await callPerson(tx, chat, 'handoff', paused(null, 'handoff', now));
  return { ok: true };
};
