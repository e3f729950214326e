import { endOurPart } from '../../calls/record-call-news.js';
import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';
import { notAvailable } from './tool-result.js';

/** Ends the call, once the bridge has played what the agent says. */
export const endCall: Tool = {
  colleague: 'chats:write',

  offer(situation) {
    if (configOf(situation, 'end_call') === undefined || !situation.onCall) return undefined;
    return {
      description:
        'End the call, after everything is said. Say goodbye first: the line is closed once that was heard.',
      parameters: closed({}),
    };
  },

  async perform({ tx, now, call }) {
    if (call === undefined) return notAvailable;
    await endOurPart(tx, { call }, 'agent', now);
    return { ok: true, note: 'The call ends as soon as your last words were heard.' };
  },
};
