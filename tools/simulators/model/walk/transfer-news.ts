import { spoken } from './words.js';

/** What a note says of a transfer that has failed, for the person. */
export function readReturn(note: string): string | undefined {
  const found = /^The transfer to (\S+) did not come about \(([\w-]+)\)/.exec(note);
  if (found === null) return undefined;
  const [, target = '', why = ''] = found;
  return why === 'busy' ? `The ${spoken(target)} is busy.` : `The ${spoken(target)} does not answer.`;
}
