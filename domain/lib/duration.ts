import { parse } from 'tinyduration';
import { momentOf, utcOf, wallTimeAt } from './local-time.js';

/** The longest time that anything is planned ahead. */
const maxYears = 5;

/**
 * The whole text is an ISO 8601 duration with positive parts: the parser accepts any text that contains a duration.
 * Refuses fractions of years and months, which have no defined length.
 */
const shape =
  /^P(?=\d|T\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}(?:[.,]\d{1,6})?W)?(?:\d{1,6}(?:[.,]\d{1,6})?D)?(?:T(?=\d)(?:\d{1,9}(?:[.,]\d{1,6})?H)?(?:\d{1,9}(?:[.,]\d{1,6})?M)?(?:\d{1,9}(?:[.,]\d{1,6})?S)?)?$/;

const referenceDate = new Date('2001-01-01T00:00:00Z');

/** Checks that a text is an ISO 8601 duration longer than zero and at most five years. */
export function checkDuration(text: string): { ok: true } | { ok: false; message: string } {
  if (!shape.test(text)) return { ok: false, message: 'is not an ISO 8601 duration such as PT30M or P2D' };
  const end = shift(referenceDate, text, 'UTC');
  if (end.getTime() <= referenceDate.getTime()) return { ok: false, message: 'must be longer than nothing' };
  if (!(end.getTime() <= latestMoment(referenceDate).getTime())) {
    return { ok: false, message: `must not be longer than ${maxYears} years` };
  }
  return { ok: true };
}

/**
 * Adds a duration to a moment, up to `latestMoment`. Years, months, weeks and days follow the calendar of the time zone
 * and keep the local clock time; a day that a shorter month lacks becomes its last day. @throws RangeError if
 * `checkDuration` refuses the text
 */
export function addDuration(from: Date, text: string, timezone: string): Date {
  const checked = checkDuration(text);
  if (!checked.ok) throw new RangeError(`The duration ${checked.message}`);
  const end = shift(from, text, timezone);
  const latest = latestMoment(from);
  return end.getTime() <= latest.getTime() ? end : latest;
}

/** The latest moment that anything may be planned for. */
export function latestMoment(from: Date): Date {
  return addCalendar(from, { months: maxYears * 12, days: 0 }, 'UTC');
}

function shift(from: Date, text: string, timezone: string): Date {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(text);
  const allDays = weeks * 7 + days;
  const wholeDays = Math.trunc(allDays);
  const partOfDay = (allDays - wholeDays) * 24;
  const milliseconds = Math.round(((partOfDay + hours) * 3_600 + minutes * 60 + seconds) * 1_000);
  const moved = addCalendar(from, { months: years * 12 + months, days: wholeDays }, timezone);
  return new Date(moved.getTime() + milliseconds);
}

function addCalendar(from: Date, { months, days }: { months: number; days: number }, timezone: string): Date {
  if (months === 0 && days === 0) return from;
  const wall = wallTimeAt(from, timezone);
  const monthsInAll = wall.year * 12 + wall.month - 1 + months;
  const year = Math.floor(monthsInAll / 12);
  const month = (monthsInAll % 12) + 1;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const day = new Date(utcOf({ ...wall, year, month, day: Math.min(wall.day, lastDay) + days }));
  return momentOf(
    { ...wall, year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() },
    timezone,
  );
}
