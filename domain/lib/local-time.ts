import { hasTimezone } from './locales.js';

/**
 * Local times in time zones of the IANA database, independent of the time zone of the process. Of a name that this
 * version does not have, such as one that was stored by another, they are those of UTC.
 */

/** A local date and time, without its time zone. */
export interface WallTime {
  year: number;
  /** From 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

const dayLength = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: hasTimezone(timezone) ? timezone : 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      weekday: 'long',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timezone, format);
  }
  return format;
}

function partsOf(moment: Date, timezone: string): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = formatOf(timezone).formatToParts(moment);
  return (type) => parts.find((part) => part.type === type)?.value ?? '';
}

/** The local time in a time zone at a moment. */
export function wallTimeAt(moment: Date, timezone: string): WallTime {
  const part = partsOf(moment, timezone);
  const year = Number(part('year'));
  return {
    year: part('era') === 'BC' ? 1 - year : year,
    month: Number(part('month')),
    day: Number(part('day')),
    hour: Number(part('hour')),
    minute: Number(part('minute')),
    second: Number(part('second')),
    millisecond: ((moment.getTime() % 1_000) + 1_000) % 1_000,
  };
}

/**
 * The moment at which the time zone has this local time: of one that occurs twice, the first. One that the clock skips
 * is read with the offset before the change, so that the result is later by the skipped time.
 */
export function momentOf(wall: WallTime, timezone: string): Date {
  return momentsOf(wall, timezone)[0] as Date;
}

/**
 * The moments at which the time zone has this local time, in order: two of one that occurs twice. Of one that the clock
 * skips, the moment that is later by the skipped time.
 */
export function momentsOf(wall: WallTime, timezone: string): Date[] {
  const asUtc = utcOf(wall);
  // Offsets differ by at most a day, and no time zone changes its offset twice within two days.
  const before = offsetAt(asUtc - dayLength, timezone);
  const after = offsetAt(asUtc + dayLength, timezone);
  const moments = [...new Set([asUtc - before, asUtc - after])].filter(
    (moment) => moment + offsetAt(moment, timezone) === asUtc,
  );
  if (moments.length === 0) moments.push(asUtc - before);
  return moments.sort((one, other) => one - other).map((moment) => new Date(moment));
}

/** Formats a moment for people and models: `Friday 2026-07-31 10:05 (Europe/Paris, UTC+02:00)`. */
export function describeLocalTime(moment: Date, timezone: string): string {
  const part = partsOf(moment, timezone);
  const two = (type: Intl.DateTimeFormatPartTypes) => part(type).padStart(2, '0');
  const minutes = Math.round(offsetAt(moment.getTime(), timezone) / 60_000);
  const hours = Math.trunc(Math.abs(minutes) / 60);
  const offset = `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(Math.abs(minutes) % 60)}`;
  const time = `${two('hour')}:${two('minute')}`;
  return `${part('weekday')} ${dayOf(moment, timezone)} ${time} (${timezone}, UTC${offset})`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function offsetAt(moment: number, timezone: string): number {
  return utcOf(wallTimeAt(new Date(moment), timezone)) - moment;
}

/** The moment at which UTC has this time, in milliseconds since the epoch. */
export function utcOf(wall: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  return date.setUTCHours(wall.hour, wall.minute, wall.second, wall.millisecond);
}

const momentForm =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Reads an ISO 8601 date, or date and time; undefined for any other text. Without an offset, it is local. */
export function readMoment(text: string, timezone: string): Date | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] =
    momentForm.exec(text) ?? [];
  if (year === undefined) return undefined;
  const wall: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  if (!exists(wall)) return undefined;
  if (offset === undefined) return momentOf(wall, timezone);
  const offsetMs = readOffset(offset);
  return offsetMs === undefined ? undefined : new Date(utcOf(wall) - offsetMs);
}

/** Whether the date exists in the calendar, and the time on a clock. */
function exists({ year, month, day, hour, minute, second }: WallTime): boolean {
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function readOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The calendar day of a moment, `YYYY-MM-DD`: the order of the texts is chronological. */
export function dayOf(moment: Date, timezone: string): string {
  const part = partsOf(moment, timezone);
  return `${part('year').padStart(4, '0')}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10);
}

/** The moment at which a day, or one some days later, begins; its first one, where the clock skips midnight. */
export function beginOf(day: string, timezone: string, later = 0): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const midnight = { hour: 0, minute: 0, second: 0, millisecond: 0 };
  return momentOf({ year, month, day: date + later, ...midnight }, timezone);
}

/** The number of days from `from` to `to`, both included. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayLength) + 1;
}

/** The calendar month of a moment, `YYYY-MM`, and when it begins and ends. */
export function monthAt(moment: Date, timezone: string): { month: string; from: Date; until: Date } {
  const { year, month } = wallTimeAt(moment, timezone);
  const first = (monthNumber: number): Date => {
    const start = { month: monthNumber, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
    return momentOf({ year, ...start }, timezone);
  };
  return { month: dayOf(moment, timezone).slice(0, 7), from: first(month), until: first(month + 1) };
}
