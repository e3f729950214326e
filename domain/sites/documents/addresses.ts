import { parseUrl } from '../../lib/parse-url.js';

const maxAddressLength = 2_048;

/** What a browser drops or reads otherwise within an address, so that it would lead elsewhere than it seems to. */
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"<>^`{|}]/u;

/** One slash: two would lead to another host. */
const ownPath = /^\/(?!\/)/;

const withScheme = /^([a-z][a-z0-9+.-]*):/i;

/** Why a page cannot have this address in a link, or undefined if it can. */
export function problemOfLink(address: string): string | undefined {
  if (isUnsafe(address)) return unsafeAddress;
  if (address.startsWith('#') || ownPath.test(address)) return undefined;
  const scheme = withScheme.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'mailto' || scheme === 'tel') return undefined;
  if ((scheme === 'https' || scheme === 'http') && isWebAddress(address, scheme)) return undefined;
  return 'must begin with https://, http://, mailto:, tel:, # or a single /';
}

/** Why a page cannot show an image from this address, or undefined if it can. */
export function problemOfImage(address: string): string | undefined {
  if (isUnsafe(address)) return unsafeAddress;
  if (ownPath.test(address) || isWebAddress(address, 'https')) return undefined;
  return 'must begin with https:// or a single /';
}

const unsafeAddress = `must have at most ${maxAddressLength} characters, and no spaces, quotation marks, brackets, backslashes or invisible characters`;

function isUnsafe(address: string): boolean {
  return address === '' || address.length > maxAddressLength || unsafeCharacters.test(address);
}

/** An address with a password shows one host and leads to another. */
function isWebAddress(address: string, scheme: 'http' | 'https'): boolean {
  if (!address.toLowerCase().startsWith(`${scheme}://`)) return false;
  const url = parseUrl(address);
  return url !== undefined && url.hostname !== '' && url.username === '' && url.password === '';
}
