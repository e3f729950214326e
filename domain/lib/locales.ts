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

/** Names of three letters that the IANA database has. Others are ICU's own: its BST is Dhaka's time, for PostgreSQL it is London's. */
const shortNames = new Set([
  'CET',
  'EET',
  'EST',
  'GMT',
  'HST',
  'MET',
  'MST',
  'PRC',
  'ROC',
  'ROK',
  'UCT',
  'UTC',
  'WET',
]);

/**
 * Whether this is a time zone of the IANA database, by any of its names, also the old ones that browsers report. An
 * offset is none.
 */
export function isTimezone(timezone: string): boolean {
  const isAmbiguous = timezone.length === 3 && !shortNames.has(timezone.toUpperCase());
  return !isAmbiguous && !/^SystemV\//i.test(timezone) && hasTimezone(timezone);
}

/** Those that were asked for: to look one up takes as long as a statement of the database. */
const knownTimezones = new Set<string>();

/** Whether Node.js has a time zone of this name. */
export function hasTimezone(timezone: string): boolean {
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
