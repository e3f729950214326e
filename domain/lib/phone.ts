import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** The characters of a written phone number. Letters and extensions are refused, because E.164 cannot express them. */
const dialable = /^\+?[\d\s().\-/\u00a0]{3,40}$/;

/**
 * Normalizes a phone number to E.164; null if it cannot be one. A number without a country code is read as one of
 * `defaultRegion` (ISO 3166 alpha-2).
 *
 * Checks length and country, but not whether the number is in use: numbering plans change faster than our tables, and
 * the carrier reports invalid numbers (error 21211).
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
