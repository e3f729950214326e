import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** The characters of a written phone number. Letters and extensions are refused, because E.164 cannot express them. */
const dialable = /^\+?[\d\s().\-/\u00a0]{3,40}$/;

/**
 * Normalizes a phone number to E.164; null if it cannot be one. A number without a country code is read as one of
 * `defaultRegion` (ISO 3166 alpha-2). Whether it is in use is for the carrier to say (error 21211): numbering plans
 * change faster than tables of them.
 */
export function normalizePhone(text: string, defaultRegion: string): string | null {
  const trimmed = text.trim();
  if (!dialable.test(trimmed)) return null;
  const region = defaultRegion.toUpperCase();
  const parsed = parsePhoneNumberFromString(trimmed, {
    extract: false,
    ...(isSupportedCountry(region) ? { defaultCountry: region } : {}),
  });
  return parsed?.isPossible() ? parsed.number : null;
}
