import type { CallerQuestion } from '../../definitions/voice-identity/caller-questions.js';
import type { Situation } from '../situation.js';

/** What the agent is told of who is on the phone. */
export function identityWords({ identity, questions }: Pick<Situation, 'identity' | 'questions'>): string {
  switch (identity?.kind) {
    case 'proved':
      return 'The caller has proved who they are.';
    case 'closed':
      return 'Who is on the phone is not proved, and cannot be proved in this call: tell nothing that is stored about the member. Where it is needed, hand over to a person.';
    case 'asked':
      return askingWords(identity.settings.required, questions);
    default:
      return '';
  }
}

function askingWords(required: number, questions: readonly CallerQuestion[]): string {
  const names = (some: readonly CallerQuestion[]) => some.map(({ name }) => JSON.stringify(name)).join(', ');
  const keyed = questions.filter(({ isSensitive }) => isSensitive);
  return [
    'Who is on the phone is not proved. Tell nothing that is stored about the member, not even the name, and confirm no guess.',
    `When something stored is needed, ask for ${required} of these, one after the other, and then call prove_identity: ${names(questions)}.`,
    ...(keyed.length === 0
      ? []
      : [`By the keys of the phone alone, ended by the hash sign, and never aloud: ${names(keyed)}.`]),
    'Never say which answer was wrong.',
  ].join(' ');
}
