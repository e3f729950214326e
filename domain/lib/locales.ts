/** A language tag in canonical form (BCP 47), or null if it is invalid. */
export function canonicalLocale(locale: string): string | null {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null;
  } catch {
    return null;
  }
}

/** Whether this is a time zone of the IANA database. */
export function isTimezone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
