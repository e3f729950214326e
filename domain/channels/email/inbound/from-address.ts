import { normalizeEmail } from '../../../lib/email.js';
import { type HeaderField, valuesOf } from './headers.js';
import { type Token, tokensOf } from './lexer.js';

const longestField = 4_096;

/**
 * The one address of the one From field, normalized; null for a mail with none or several of either, with a group, or with
 * an address in an unusual form: programs differ in what they take for the sender of these.
 */
export function fromAddress(fields: readonly HeaderField[]): string | null {
  const [value, ...others] = valuesOf(fields, 'from');
  if (value === undefined || others.length > 0 || value.length > longestField) return null;
  const tokens = tokensOf(value, '<>,;:@');
  if (tokens === undefined) return null;
  const opening = tokens.findIndex(isSpecial('<'));
  if (opening < 0) return addressIn(tokens);
  const name = tokens.slice(0, opening);
  const closing = tokens.findIndex(isSpecial('>'));
  if (closing !== tokens.length - 1 || name.some(({ kind }) => kind === 'special')) return null;
  return addressIn(tokens.slice(opening + 1, closing));
}

function isSpecial(character: string) {
  return ({ kind, text }: Token) => kind === 'special' && text === character;
}

/** `local@domain`, without blanks, comments or quotes within. */
function addressIn([local, at, domain, ...rest]: readonly Token[]): string | null {
  if (local?.kind !== 'word' || domain?.kind !== 'word' || rest.length > 0) return null;
  if (at === undefined || !isSpecial('@')(at) || !at.isGlued || !domain.isGlued) return null;
  return normalizeEmail(`${local.text}@${domain.text}`);
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
