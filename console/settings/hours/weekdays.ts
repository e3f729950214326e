/** As the API names them, in its order. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** The days of the week with their names in a language. */
export function weekdayNames(
  locale: string,
  weekday: 'long' | 'short',
): (readonly [day: Weekday, name: string])[] {
  const names = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  // The fifth of January 1970 was a Monday.
  return weekdays.map((day, index) => [day, names.format(new Date(Date.UTC(1970, 0, 5 + index)))]);
}
