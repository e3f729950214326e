import { utcOf, wallTimeAt } from '../../local-time.js';
import { fail } from './fail.js';

type WallTime = ReturnType<typeof wallTimeAt>;

const dayMs = 86_400_000;
const atMidnight = { hour: 0, minute: 0, second: 0, millisecond: 0 };

/** The parts of a timestamp in a time zone, by the names of the standard. Months and days of the year begin at 0. */
const accessors: Record<string, (wall: WallTime) => number> = {
  getFullYear: ({ year }) => year,
  getMonth: ({ month }) => month - 1,
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getDayOfWeek: (wall) => new Date(utcOf(wall)).getUTCDay(),
  getDayOfYear: (wall) => (utcOf({ ...wall, ...atMidnight }) - newYear(wall)) / dayMs,
  getHours: ({ hour }) => hour,
  getMinutes: ({ minute }) => minute,
  getSeconds: ({ second }) => second,
  getMilliseconds: ({ millisecond }) => millisecond,
};

export function isAccessor(name: string): boolean {
  return Object.hasOwn(accessors, name);
}

/** @param zone a name of the IANA database, or an offset such as `+02:00`, `-09:30` and `02:00` */
export function accessTime(name: string, moment: Date, zone: string): bigint {
  const accessor = accessors[name];
  if (accessor === undefined) throw new Error(`No accessor: ${name}`);
  const offset = zone === 'UTC' ? 0 : offsetOf(zone);
  const wall =
    offset === undefined
      ? wallTimeAt(moment, nameOf(zone))
      : wallTimeInUtc(new Date(moment.getTime() + offset));
  return BigInt(accessor(wall));
}

function wallTimeInUtc(moment: Date): WallTime {
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
    hour: moment.getUTCHours(),
    minute: moment.getUTCMinutes(),
    second: moment.getUTCSeconds(),
    millisecond: moment.getUTCMilliseconds(),
  };
}

function newYear({ year }: WallTime): number {
  return utcOf({ year, month: 1, day: 1, ...atMidnight });
}

/** The milliseconds of an offset; undefined for any other text. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Names of time zones as they were written, in any case: a text of a member may be one. */
const names = new Map<string, string>();
const maxNames = 1_000;
const maxNameLength = 64;

/** The one name of a time zone that has several. */
function nameOf(zone: string): string {
  const known = names.get(zone);
  if (known !== undefined) return known;
  if (zone.length > maxNameLength) fail('invalid_time_zone');
  try {
    const name = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
    if (names.size >= maxNames) names.clear();
    names.set(zone, name);
    return name;
  } catch {
    return fail('invalid_time_zone');
  }
}
