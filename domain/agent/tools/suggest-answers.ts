import { configOf } from './config-of.js';
import { closed, type Tool } from './tool.js';

/** The answers are shown with the reply of the turn (`recordAnswer`). */
export const suggestAnswers: Tool = {
  colleague: 'agent',

  offer(situation) {
    if (configOf(situation, 'suggest_answers') === undefined || !situation.mayPropose) return undefined;
    return {
      description:
        'Call this before a reply that asks something with few likely answers: the member can choose one of them instead of writing. Then write the reply.',
      parameters: closed({
        answers: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 60 },
          minItems: 2,
          maxItems: 4,
          description: 'Short answers in the words of the member, plain text.',
        },
      }),
    };
  },

  async perform() {
    return { ok: true, note: 'The answers are shown with your reply. Write it now.' };
  },
};
