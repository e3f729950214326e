import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** What people write numbers with; letters and extensions cannot be dialled from E.164. */
const dialable = /^\+?[\d\s().\-/\u00a0]{3,40}$/;

/**
 * A phone number as E.164, or null if it cannot be one. Without a country code it is taken as one of
 * `defaultRegion` (ISO 3166 alpha-2).
 *
 * Length and country are checked, not whether the number is in use: plans change faster than our tables, and
 * the carrier tells (21211).
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
