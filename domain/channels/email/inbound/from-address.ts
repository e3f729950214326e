import { normalizeEmail } from '../../../lib/email.js';
import { type HeaderField, valuesOf } from './headers.js';
import { type Token, tokensOf } from './lexer.js';

const maxFieldLength = 4_096;

/**
 * The one address of the one From field, normalized; null for a mail with none or several of either, or with an address in
 * an unusual form: programs differ in what they take for the sender of these. What stands before an address in angle
 * brackets is a name, also where programs have not quoted its commas and colons, unless it has another address.
 */
export function fromAddress(fields: readonly HeaderField[]): string | null {
  const [value, ...others] = valuesOf(fields, 'from');
  if (value === undefined || others.length > 0 || value.length > maxFieldLength) return null;
  const tokens = tokensOf(value, '<>,;:@');
  if (tokens === undefined) return null;
  const opening = tokens.findIndex(isSpecial('<'));
  if (opening < 0) return addressIn(tokens);
  const closing = tokens.findIndex(isSpecial('>'));
  const behind = tokens.slice(closing + 1);
  if (behind.length > 1 || !behind.every(isSpecial(';'))) return null;
  const address = addressIn(tokens.slice(opening + 1, closing));
  return address !== null && namesNoOther(tokens.slice(0, opening), address) ? address : null;
}

/** `Anna @ Home` is a name, and so is the address itself. */
function namesNoOther(name: readonly Token[], address: string): boolean {
  return name.every((at, place) => {
    if (!isSpecial('@')(at)) return true;
    const [local, domain] = [name[place - 1], name[place + 1]];
    const isApart = domain?.isGlued === false && !at.isGlued && !domain.text.includes('.');
    const written = `${local?.text}@${domain?.text}`.replace(/^['‘]|['’]$/g, '').toLowerCase();
    return isApart || written === address;
  });
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
