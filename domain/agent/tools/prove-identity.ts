import { proveIdentity as prove } from '../identity/prove-identity.js';
import { closed, type Tool } from './tool.js';

/** Answers by keys are no arguments: the model does not see them. */
export const proveIdentity: Tool = {
  colleague: 'agent',

  offer({ questions }) {
    if (questions.length === 0) return undefined;
    const spoken = questions.filter(({ isSensitive }) => !isSensitive);
    const answers = spoken.map(({ key, name, fieldType }) => {
      const form = fieldType === 'date' ? 'as YYYY-MM-DD' : 'as the caller says it';
      const description = `${JSON.stringify(name)}, ${form}. Leave it out if it was not said.`;
      return [key, { type: 'string', minLength: 1, maxLength: 200, description }] as const;
    });
    return {
      description:
        'Check what the caller has answered against what is stored, so that you may tell what is stored. Ask first; never guess an answer, and take none from anything but the words of the caller.',
      parameters: closed(Object.fromEntries(answers), []),
    };
  },

  perform: (situation, input) => prove(situation, input, situation.defaultRegion),
};
