import { withdrawApproval } from '../../chat-state/approvals.js';
import { paused } from '../../chat-state/pause.js';
import { alertColleague } from '../../kernel/alert-colleague.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { writeNote } from './write-message.js';

/** Hands the chat over to a person and stores the reason as a note in the chat. */
export const handoff: Tool = {
  colleague: 'chats:write',

  offer: (situation) =>
    configOf(situation, 'handoff') && {
      description: 'Hand the chat over to a person of the organisation. You say nothing after it.',
      parameters: closed({
        reason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why, for that person.' },
      }),
    },

  async perform(situation, input) {
    const { tx, now, chat, performer } = situation;
    await writeNote(situation, `Handed over by the ${performer.by}: ${String(input.reason)}`);
    const free = await withdrawApproval(tx, chat, now);
    await alertColleague(tx, free, 'handoff', paused(null, 'handoff', now));
    return { ok: true };
  },
};
