import type { AccountContext } from '../../kernel/account-context.js';
import { parseUrl } from '../../lib/parse-url.js';

/** The most characters that are kept of a value; the rest is cut off. */
const maxValueLength = 500;

/** Values of campaigns, as addresses carry them (`utm_source`), and ids that advertisers add to a click. */
export const campaignNames = [
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'utmId',
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'twclid',
  'liFatId',
] as const;

/** Addresses of pages, which are kept without query and fragment: these may hold secrets. */
export const pageNames = ['referrer', 'landingPage'] as const;

const names: readonly string[] = [...campaignNames, ...pageNames];

/**
 * Records where the account of the caller has first come from. Other names than those above are passed over, names are
 * also taken as addresses have them (`utm_source`), and values are cut to 500 characters.
 * @returns false, and changes nothing, if that is recorded, or if the values tell nothing: a landing page alone does not
 */
export async function recordAcquisition(
  { db, clock, account }: AccountContext,
  given: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const touch = touchOf(given);
  const tells = Object.keys(touch).some((name) => name !== 'landingPage');
  if (!tells) return false;
  return db.identity.acquisitions.insertOnce({ accountId: account.id, touch, recordedAt: clock.now() });
}

/** The allowed values, in the order of their names. Of two spellings of a name, the field of the API counts. */
export function touchOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const touch: Record<string, string> = {};
  for (const name of names) {
    const value = textOf(given, name) ?? textOf(given, inAddresses(name));
    const kept = value !== undefined && isOfPage(name) ? pageOf(value) : value;
    if (kept !== undefined) touch[name] = kept;
  }
  return touch;
}

function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (typeof value !== 'string') return undefined;
  const plain = value.replace(/[\p{C}\s]+/gu, ' ').trim();
  return cut(plain) || undefined;
}

/** Between characters, never within one. */
function cut(text: string): string {
  return [...text.slice(0, maxValueLength * 2)].slice(0, maxValueLength).join('').trim();
}

function isOfPage(name: string): boolean {
  return (pageNames as readonly string[]).includes(name);
}

function pageOf(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return cut(url.origin + url.pathname);
}

/** `utmSource` → `utm_source` */
function inAddresses(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
