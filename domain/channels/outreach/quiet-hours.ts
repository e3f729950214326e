import type { QuietHours, Weekday } from '../../../db/identity/models/workspace.js';
import { momentsOf, utcOf, type WallTime, wallTimeAt } from '../../lib/local-time.js';

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies Weekday[];

/** The longest quiet hours, so that every day has hours in which what was held is sent. */
export const maxQuietMinutes = 20 * 60;

const minutesOfDay = 24 * 60;
const dayMs = minutesOfDay * 60_000;

/** How many minutes quiet hours last by the clock: from 1 to a day. */
export function quietMinutes({ from, to }: Pick<QuietHours, 'from' | 'to'>): number {
  return (minutesOf(to) - minutesOf(from) + minutesOfDay) % minutesOfDay || minutesOfDay;
}

/**
 * Returns when the quiet hours end in which a moment is, by the clock of a time zone; undefined if it is in none. An end
 * that the clock skips is later by the skipped time; of one that occurs twice, the next is used.
 */
export function endOfQuietHours(moment: Date, quiet: QuietHours, timezone: string): Date | undefined {
  const now = wallTimeAt(moment, timezone);
  if (!isQuietAt(now, quiet)) return undefined;
  const end = minutesOf(quiet.to);
  const today = { ...now, hour: Math.floor(end / 60), minute: end % 60, second: 0, millisecond: 0 };
  const ends = [today, { ...today, day: today.day + 1 }].flatMap((wall) => momentsOf(wall, timezone));
  return ends.find((at) => at > moment && !isQuietAt(wallTimeAt(at, timezone), quiet));
}

function isQuietAt(wall: WallTime, quiet: QuietHours): boolean {
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const minute = wall.hour * 60 + wall.minute;
  const begins = (daysAgo: number) => quiet.days.includes(weekdayOf(wall, daysAgo));
  if (from < to) return minute >= from && minute < to && begins(0);
  return (minute >= from && begins(0)) || (minute < to && begins(1));
}

/** Minutes from midnight to a time of a clock (`HH:MM`). */
export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** The day of the week of a local time, or of so many days before. */
export function weekdayOf(wall: WallTime, daysAgo: number): Weekday {
  // The first of January 1970 was a Thursday.
  const day = Math.floor(utcOf(wall) / dayMs) - daysAgo + 3;
  return weekdays[((day % 7) + 7) % 7] as Weekday;
}
