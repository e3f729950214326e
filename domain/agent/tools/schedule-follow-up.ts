import { insertFollowUp, selectPendingFollowUps } from '../../../db/conversations/follow-ups.js';
import { isReached } from '../../kernel/agent-budgets.js';
import { timezoneOfMember } from '../../kernel/timezone-of-member.js';
import { addDuration, checkDuration } from '../../lib/duration.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';

/** Schedules a follow-up, for which the chat's run waits, within the budgets of delay and number. */
export const scheduleFollowUp: Tool = {
  colleague: 'chats:write',

  offer: (situation) =>
    configOf(situation, 'schedule_follow_up') && {
      description: 'Come back to the member later, as agreed with them.',
      parameters: closed({
        after: {
          type: 'string',
          maxLength: 60,
          description: 'An ISO 8601 duration from now: PT2H, P1D, P2W.',
        },
        instructions: { type: 'string', minLength: 1, maxLength: 2_000, description: 'What to do then.' },
      }),
    },

  check({ after }) {
    const checked = checkDuration(String(after));
    return checked.ok ? [] : [{ pointer: '/after', message: checked.message }];
  },

  async perform({ tx, now, chat, budgets, performer }, input) {
    const pending = await selectPendingFollowUps(tx, chat.id);
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
  },
};
