import type { BusinessHours } from '../../../db/identity/models/workspace.js';
import { type WallTime, wallTimeAt } from '../../lib/local-time.js';
import { minutesOf, weekdayOf } from '../outreach/quiet-hours.js';

/** Whether a moment is within business hours, by the clock of a time zone. A closed date has none that begin on it. */
export function isWithinBusinessHours(
  moment: Date,
  { windows, closedDates }: Pick<BusinessHours, 'windows' | 'closedDates'>,
  timezone: string,
): boolean {
  const now = wallTimeAt(moment, timezone);
  if (closedDates.includes(dateOf(now, 0))) return false;
  const minute = now.hour * 60 + now.minute;
  const wasClosed = closedDates.includes(dateOf(now, 1));
  return windows.some(({ days, from, to }) => {
    const [begins, ends] = [minutesOf(from), minutesOf(to)];
    const isToday = days.includes(weekdayOf(now, 0));
    if (begins < ends) return isToday && minute >= begins && minute < ends;
    const isOfYesterday = !wasClosed && days.includes(weekdayOf(now, 1)) && minute < ends;
    return (isToday && minute >= begins) || isOfYesterday;
  });
}

function dateOf({ year, month, day }: WallTime, daysAgo: number): string {
  return new Date(Date.UTC(year, month - 1, day - daysAgo)).toISOString().slice(0, 10);
}
