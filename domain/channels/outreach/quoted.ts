const longest = 60;

/** What a mail program makes no link of, and no markup: letters, digits, blanks and what joins words. */
const passedOver = /[^\p{L}\p{M}\p{N} '’&-]+/gu;
const blanks = / {2,}/g;
/** As many digits as a telephone number has: a touch would call it. */
const callable = /\p{N}(?:[ '’&-]*\p{N}){6,}/gu;

/**
 * A name that a tenant gave, for a message that the service itself writes: in quotation marks, on one line, cut, and without
 * anything that becomes a link, a number to call or markup.
 */
export function quoted(name: string): string {
  const plain = name.normalize('NFKC').replace(passedOver, ' ').replace(blanks, ' ').replace(callable, '…');
  const characters = [...plain.trim()];
  const cut = characters.length > longest ? [...characters.slice(0, longest - 1), '…'] : characters;
  return `"${cut.join('')}"`;
}
