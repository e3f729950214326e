import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { asciiDigits } from './digits.js';

/** The characters of a written phone number. Letters and extensions are refused, because E.164 cannot express them. */
const dialable = /^\+?[\d ().\-/]{3,40}$/;

/**
 * Normalizes a phone number to E.164; null if it cannot be one. With its country code it needs a possible length alone:
 * whether it is in use is for the carrier to say (error 21211), as numbering plans change faster than tables of them.
 * Without one it is read as one of `defaultRegion` (ISO 3166 alpha-2), if the tables leave no other reading.
 */
export function normalizePhone(text: string, defaultRegion: string): string | null {
  const written = asWritten(text);
  if (!dialable.test(written)) return null;
  if (written.startsWith('+')) return possible(parse(withoutOldMobilePrefix(written)))?.number ?? null;
  const region = defaultRegion.toUpperCase();
  return isSupportedCountry(region) ? readNationally(written, region) : null;
}

/** In plain characters, as copied from contacts, documents and chats: signs that cannot be seen, dashes, digits of any script, `tel:`. */
function asWritten(text: string): string {
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}|\u20e3/gu, '').trim();
  return asciiDigits(withoutScheme(visible))
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(/[\p{Pd}\u2212\u30fc\uff70~\uff5e]/gu, '-')
    .replace(/[\u2044\u2215\uff0f]/g, '/')
    .replace(/[\uff0e\u00b7\u2022\u2024\u2027\u30fb\uff65]/g, '.')
    .replace(/[\uff08[\uff3b]/g, '(')
    .replace(/[\uff09\]\uff3d]/g, ')')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A `tel:` address is its number, without parameters: an extension or a context says that the digits alone are not it. */
function withoutScheme(text: string): string {
  const number = /^tel:(?:\/\/)?(.*)$/is.exec(text)?.[1];
  if (number === undefined) return text;
  try {
    return decodeURIComponent(number).trim();
  } catch {
    return text;
  }
}

/** Mexico gave up the 1 before mobile numbers; programs that still write it mean the number without. */
function withoutOldMobilePrefix(written: string): string {
  const [, digits] = /^521(\d{10})$/.exec(written.replace(/\D/g, '')) ?? [];
  return digits === undefined ? written : `+52${digits}`;
}

/** Spreadsheets drop the plus of a number, so that what begins with a country code may be national or not. */
function readNationally(written: string, region: CountryCode): string | null {
  const digits = written.replace(/\D/g, '');
  const national = possible(parse(written, region));
  const code = getCountryCallingCode(region);
  const significant = digits.replace(/^0+/, '');
  const withCode = significant.startsWith(code) ? possible(parse(`+${significant}`)) : undefined;
  const valid = new Set([national, withCode].flatMap((number) => (number?.isValid() ? [number.number] : [])));
  if (valid.size > 0) return valid.size === 1 ? ([...valid][0] ?? null) : null;
  if (national === undefined) return null;
  // The tables know neither: only what says itself how it is to be read is taken.
  const saysItsCountry = national.number === withCode?.number || national.number === `+${significant}`;
  const hasTrunkPrefix = /^0[1-9]/.test(digits) && !national.nationalNumber.startsWith('0');
  return saysItsCountry || (hasTrunkPrefix && withCode === undefined) ? national.number : null;
}

function parse(written: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(written, { extract: false, ...(defaultCountry && { defaultCountry }) });
}

function possible(number: PhoneNumber | undefined): PhoneNumber | undefined {
  return number?.isPossible() ? number : undefined;
}

/** Names that carriers show, by the letters of a telephone's keys, for a caller who withholds the number. */
const namesOfNobody = ['ANONYMOUS', 'BLOCKED', 'PRIVATE', 'RESTRICTED', 'UNAVAILABLE', 'UNKNOWN', 'WITHHELD'];
const keys = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];
const numbersOfNobody: ReadonlySet<string> = new Set(namesOfNobody.map(spelled));

function spelled(word: string): string {
  return [...word].map((letter) => keys.findIndex((key) => key.includes(letter))).join('');
}

/** Whether what a carrier shows as the number of a caller is a name of one who withholds it, as `+86282452253`. */
export function isWithheld(from: string): boolean {
  return (
    numbersOfNobody.has(from.replace(/[^0-9]/g, '')) || namesOfNobody.includes(from.trim().toUpperCase())
  );
}
