import { insertFollowUp, listPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { timezoneOfMember } from '../../../db/lib/time-zones.js';
import { isReached } from '../../kernel/agent-budgets.js';
import { addDuration } from '../../lib/duration.js';
import type { Tool } from './tool.js';

/**
 * Schedules a follow-up, for which the chat's run waits. Enforces a minimum delay and a maximum number of pending
 * follow-ups.
 */
export const scheduleFollowUp: Tool = async ({ tx, now, chat, budgets, performer }, input) => {
  const pending = await listPendingFollowUps(tx, chat.id);
  if (isReached(pending.length, budgets.pendingFollowUps)) {
    return { ok: false, error: 'too_many_follow_ups', pending: pending.length };
  }
  const earliestAt = new Date(now.getTime() + budgets.followUpDelayMs);
  const wanted = addDuration(now, String(input.after), await timezoneOfMember(tx, chat.memberId));
  const dueAt = wanted < earliestAt ? earliestAt : wanted;
  await insertFollowUp(tx, {
    chatId: chat.id,
    instructions: String(input.instructions),
    dueAt,
    scheduledByMemberId: performer.memberId,
  });
  return { ok: true, dueAt: dueAt.toISOString() };
};
