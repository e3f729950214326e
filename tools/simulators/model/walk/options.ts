import type { Tool } from '../protocol.js';
import { propertiesOf } from './fields.js';
import { sharedWords, tellingWords, words, yesOrNo } from './words.js';

export interface Option {
  uuid: string;
  text: string;
}

/** Reads the choices: uuids from the parameter's `enum`, texts from lines `<uuid>: <text>` of the descriptions. */
export function readOptions(tool: Tool): Option[] {
  const parameter = propertiesOf(tool.parameters).task ?? {};
  const lines = `${String(parameter.description ?? '')}\n${tool.description}`.split('\n');
  const uuids = Array.isArray(parameter.enum) ? parameter.enum.map(String) : [];
  return uuids.map((uuid) => {
    const line = lines.find((candidate) => candidate.includes(`${uuid}:`));
    return { uuid, text: line?.slice(line.indexOf(`${uuid}:`) + uuid.length + 1).trim() ?? '' };
  });
}

/** One a line, with the numbers by which they can be chosen. */
export function listOptions(options: Option[]): string {
  return ['You can choose:', ...options.map(({ text }, index) => `${index + 1}. ${text}`)].join('\n');
}

/**
 * The choice that shares the most words with an answer, counting a matching yes or no; else the one with that number. A
 * single choice matches every answer that does not mean no.
 */
export function chooseOption(answer: string, options: Option[]): Option | undefined {
  const scored = options.map((option) => ({ option, score: likeness(answer, option.text) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best > 0) return scored.find(({ score }) => score === best)?.option;

  const [only, ...others] = options;
  if (only !== undefined && others.length === 0) return yesOrNo(answer) === 'no' ? undefined : only;
  const [word, ...more] = words(answer);
  return word !== undefined && more.length === 0 && /^\d+$/.test(word)
    ? options[Number(word) - 1]
    : undefined;
}

/** The number of shared words; a contradiction between yes and no outweighs them all. */
function likeness(answer: string, text: string): number {
  const asked = yesOrNo(text);
  const answered = yesOrNo(answer);
  if (asked !== undefined && answered !== undefined && asked !== answered) return 0;
  return sharedWords(answer, tellingWords(text)) + (asked !== undefined && asked === answered ? 1 : 0);
}
