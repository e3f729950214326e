import { parse } from 'tinyduration';

/** Nothing is planned further ahead than this. */
const maxYears = 5;

/**
 * ISO 8601, positive parts only. The parser takes any text that holds a duration somewhere, hence the check of
 * the whole. Fractions of years and months have no defined length.
 */
const shape =
  /^P(?=\d|T\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}(?:[.,]\d{1,6})?W)?(?:\d{1,6}(?:[.,]\d{1,6})?D)?(?:T(?=\d)(?:\d{1,9}(?:[.,]\d{1,6})?H)?(?:\d{1,9}(?:[.,]\d{1,6})?M)?(?:\d{1,9}(?:[.,]\d{1,6})?S)?)?$/;

const referenceDate = new Date('2001-01-01T00:00:00Z');

export type DurationCheck = { ok: true } | { ok: false; message: string };

/** Whether a text is an ISO 8601 duration that can be waited for: more than nothing, at most five years. */
export function checkDuration(text: string): DurationCheck {
  if (!shape.test(text)) return { ok: false, message: 'is not an ISO 8601 duration such as PT30M or P2D' };
  const end = shift(referenceDate, text);
  if (end.getTime() <= referenceDate.getTime()) return { ok: false, message: 'must be longer than nothing' };
  if (!(end.getTime() <= latest(referenceDate).getTime())) {
    return { ok: false, message: `must not be longer than ${maxYears} years` };
  }
  return { ok: true };
}

/**
 * The moment that lies a duration after another. Years and months follow the calendar (in UTC; the last day of a
 * shorter month stands in for a missing one), all else is counted in milliseconds.
 *
 * @throws RangeError when `checkDuration` refuses the text
 */
export function addDuration(from: Date, text: string): Date {
  const checked = checkDuration(text);
  if (!checked.ok) throw new RangeError(`The duration ${checked.message}`);
  const end = shift(from, text);
  return end.getTime() <= latest(from).getTime() ? end : latest(from);
}

function shift(from: Date, text: string): Date {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(text);
  const dayHours = (weeks * 7 + days) * 24 + hours;
  const milliseconds = Math.round((dayHours * 3_600 + minutes * 60 + seconds) * 1_000);
  return new Date(addMonths(from, years * 12 + months).getTime() + milliseconds);
}

function addMonths(from: Date, months: number): Date {
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return moved;
}

function latest(from: Date): Date {
  return addMonths(from, maxYears * 12);
}
