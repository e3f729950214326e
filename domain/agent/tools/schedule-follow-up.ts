import { insertFollowUp } from '../../../db/queries/follow-ups.js';
import { addDuration } from '../../duration.js';
import type { Tool } from './tool.js';

/** Notes what to come back for, and when. The chat's run waits for it. */
export const scheduleFollowUp: Tool = async ({ tx, now, chat }, input) => {
  const dueAt = addDuration(now, String(input.after));
  await insertFollowUp(tx, { chatId: chat.id, instructions: String(input.instructions), dueAt });
  return { ok: true, dueAt: dueAt.toISOString() };
};
