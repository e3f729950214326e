const max = 200;
/** Prefixes of replies and forwards in the languages that mail programs use most. */
const prefix = /^(?:(?:re|aw|antw|sv|vs|r|rv|res|fw|fwd|wg|tr)\s*(?:\[\d+\])?\s*:\s*)+/i;
const controls = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** A text as a subject: on one line, 200 characters at most. */
export function asSubject(text: string): string {
  const characters = [...text.replace(controls, ' ').trim()];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
}

/** The subject of an answer in the thread of a subject. */
export function replySubject(subject: string): string {
  return asSubject(`Re: ${subject.replace(prefix, '')}`);
}
