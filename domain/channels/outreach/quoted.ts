const max = 60;

/** All but letters, digits, spaces and characters within words, so that mail programs find neither links nor markup. */
const passedOver = /[^\p{L}\p{M}\p{N} '’&-]+/gu;
const blanks = / {2,}/g;
/** Enough digits for a phone number, which a mail program may turn into a call link. */
const callable = /\p{N}(?:[ '’&-]*\p{N}){6,}/gu;

/** A tenant's name in a message of the service: quoted, on one line, cut, without link, phone number or markup. */
export function quoted(name: string): string {
  const plain = name.normalize('NFKC').replace(passedOver, ' ').replace(blanks, ' ').replace(callable, '…');
  const characters = [...plain.trim()];
  const cut = characters.length > max ? [...characters.slice(0, max - 1), '…'] : characters;
  return `"${cut.join('')}"`;
}
