import type { Choice } from './choices.js';
import type { ToolSituation } from './situation.js';

/** Answers that are shown with a message. A choice of more than so many is no choice by buttons. */
export const suggestionBounds = { most: 10, characters: 60, proposed: 4 };

/**
 * The answers among which the member chooses: the options of the field that a task asks for next, or the tasks that come
 * next. Empty if there is nothing to choose, or too much.
 */
export function answersToChoose({
  choices,
  collects,
}: {
  choices: readonly Choice[];
  collects: ToolSituation['collects'];
}): string[] {
  const [next] = collects?.missing ?? [];
  const texts = next === undefined ? choices.map(({ text }) => text) : optionsOf(next);
  const answers = plainAnswers(texts);
  return answers.length < 2 || answers.length > suggestionBounds.most ? [] : answers;
}

type Field = NonNullable<ToolSituation['collects']>['missing'][number];

function optionsOf({ fieldType, options = [] }: Field): string[] {
  if (fieldType !== 'select') return [];
  return options.map((option) => (typeof option === 'string' ? option : (option.label ?? option.value)));
}

/** What the model proposes by the arguments of `suggest_answers`, as it wrote them. */
export function proposedAnswers(written: string): string[] {
  try {
    const input: unknown = JSON.parse(written);
    const { answers } = (typeof input === 'object' && input !== null ? input : {}) as { answers?: unknown };
    return plainAnswers(Array.isArray(answers) ? answers : []).slice(0, suggestionBounds.proposed);
  } catch {
    return [];
  }
}

/** Control characters, line ends, and what hides text or changes its direction. */
const unwanted = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Plain texts of one line, each once, without those that are too long: a part of an answer is another answer. */
function plainAnswers(texts: readonly unknown[]): string[] {
  const plain = texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, 1_000).replace(unwanted, ' ').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '' && [...text].length <= suggestionBounds.characters);
  return [...new Set(plain)];
}
