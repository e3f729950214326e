/** A language tag in canonical form (BCP 47), or null if it is invalid. */
export function canonicalLocale(locale: string): string | null {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null;
  } catch {
    return null;
  }
}

/** A language as carriers name it, with its region, which is the likeliest one if the locale names none: `de-DE`. */
export function carrierLanguage(locale: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(locale).maximize();
    return region === undefined ? undefined : `${language}-${region}`;
  } catch {
    return undefined;
  }
}

/** Those that were asked for: to look one up takes as long as a statement of the database. */
const knownTimezones = new Set<string>();

/** Whether this is a time zone of the IANA database; an offset is none, because PostgreSQL reads its sign otherwise. */
export function isTimezone(timezone: string): boolean {
  if (knownTimezones.has(timezone)) return true;
  if (!/^[A-Za-z]/.test(timezone)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: timezone });
  } catch {
    return false;
  }
  // Names are found in any case, so that a caller could think of many.
  if (knownTimezones.size < 1_000) knownTimezones.add(timezone);
  return true;
}
