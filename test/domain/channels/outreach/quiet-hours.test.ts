import { describe, expect, it } from 'vitest';
import type { QuietHours } from '../../../../db/identity/models/workspace.js';
import {
  endOfQuietHours,
  maxQuietMinutes,
  quietMinutes,
  weekdays,
} from '../../../../domain/channels/outreach/quiet-hours.js';
import { wallTimeAt } from '../../../../domain/lib/local-time.js';

const nightly = { from: '21:00', to: '08:00', days: [...weekdays] };
const endOf = (moment: string, timezone: string, quiet: QuietHours = nightly) =>
  endOfQuietHours(new Date(moment), quiet, timezone)?.toISOString();

describe('the end of quiet hours', () => {
  it.each([
    ['in the evening, the next morning', '2030-07-01T21:00:00-04:00', '2030-07-02T12:00:00.000Z'],
    ['in the morning, the same day', '2030-07-01T07:59:59.999-04:00', '2030-07-01T12:00:00.000Z'],
    ['at their end, none', '2030-07-01T08:00:00-04:00', undefined],
    ['before their beginning, none', '2030-07-01T20:59:59.999-04:00', undefined],
    ['in the night of 23 hours', '2030-03-09T23:00:00-05:00', '2030-03-10T12:00:00.000Z'],
    ['in the night of 25 hours', '2030-11-02T23:00:00-04:00', '2030-11-03T13:00:00.000Z'],
  ])('is, %s', (_when, moment, end) => {
    expect(endOf(moment, 'America/New_York')).toBe(end);
  });

  it('is by the clock of the time zone', () => {
    expect(endOf('2030-07-01T21:30:00Z', 'Europe/London')).toBe('2030-07-02T07:00:00.000Z');
    expect(endOf('2030-07-01T21:30:00Z', 'America/New_York')).toBeUndefined();
    expect(endOf('2030-07-01T21:30:00Z', 'Asia/Kolkata')).toBe('2030-07-02T02:30:00.000Z');
  });

  it('is later by the time that the clock skips, if it is skipped', () => {
    const quiet = { ...nightly, to: '02:30' };
    expect(endOf('2030-03-10T01:00:00-05:00', 'America/New_York', quiet)).toBe('2030-03-10T07:30:00.000Z');
  });

  it('comes twice if the clock shows it twice', () => {
    const quiet = { ...nightly, to: '01:30' };
    const zone = 'America/New_York';
    expect(endOf('2030-11-03T01:10:00-04:00', zone, quiet)).toBe('2030-11-03T05:30:00.000Z');
    expect(endOf('2030-11-03T01:40:00-04:00', zone, quiet)).toBeUndefined();
    expect(endOf('2030-11-03T01:10:00-05:00', zone, quiet)).toBe('2030-11-03T06:30:00.000Z');
  });

  it('belongs to the days on which they begin', () => {
    const weekend: QuietHours = { from: '18:00', to: '10:00', days: ['friday', 'saturday'] };
    const ends = (moment: string) => endOf(moment, 'UTC', weekend);
    expect(ends('2030-07-04T19:00:00Z')).toBeUndefined();
    expect(ends('2030-07-05T19:00:00Z')).toBe('2030-07-06T10:00:00.000Z');
    expect(ends('2030-07-06T09:00:00Z')).toBe('2030-07-06T10:00:00.000Z');
    expect(ends('2030-07-07T09:00:00Z')).toBe('2030-07-07T10:00:00.000Z');
    expect(ends('2030-07-08T09:00:00Z')).toBeUndefined();
    const noon: QuietHours = { from: '12:00', to: '14:00', days: ['sunday'] };
    expect(endOf('2030-07-07T13:00:00Z', 'UTC', noon)).toBe('2030-07-07T14:00:00.000Z');
    expect(endOf('2030-07-08T13:00:00Z', 'UTC', noon)).toBeUndefined();
  });

  it('is never in quiet hours, never in the past and never a day away, whatever the zone and the hours', () => {
    const zones = [
      ...['America/New_York', 'Europe/Paris', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo'],
      ...['Pacific/Apia', 'Pacific/Chatham', 'Antarctica/Troll', 'Africa/Casablanca', 'UTC'],
    ];
    const draw = seeded(20_261_126);
    let held = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const zone = zones[draw(zones.length)] ?? 'UTC';
      const from = draw(1_440);
      const length = 1 + draw(maxQuietMinutes);
      const days = weekdays.filter(() => draw(4) > 0);
      const quiet = { from: clockOf(from), to: clockOf(from + length), days };
      expect(quietMinutes(quiet)).toBe(length);
      // Half of the moments are close to a change of some clock.
      const year = 2010 + draw(30);
      const near = [Date.UTC(year, 2, 8 + draw(25)), Date.UTC(year, 9, 1 + draw(38))][draw(2)] ?? 0;
      const any = Date.UTC(year, 0, 1) + draw(365) * 86_400_000;
      const moment = new Date((draw(2) === 0 ? near : any) + draw(86_400_000));

      const end = endOfQuietHours(moment, quiet, zone);

      const what = `${moment.toISOString()} in ${zone} with ${JSON.stringify(quiet)}`;
      expect(end !== undefined, what).toBe(isQuiet(moment, quiet, zone));
      if (end === undefined) continue;
      held += 1;
      expect(isQuiet(end, quiet, zone), what).toBe(false);
      expect(end.getTime(), what).toBeGreaterThan(moment.getTime());
      expect(end.getTime() - moment.getTime(), what).toBeLessThan(86_400_000);
    }
    expect(held).toBeGreaterThan(500);
  });
});

/** Read from the clock on the wall of the member, minute by minute of a week. */
function isQuiet(moment: Date, { from, to, days }: QuietHours, zone: string): boolean {
  const { year, month, day, hour, minute } = wallTimeAt(moment, zone);
  const today = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const clock = clockOf(hour * 60 + minute);
  const begins = (weekday: number) => days.includes(weekdays[(weekday + 7) % 7] ?? 'monday');
  if (from < to) return begins(today) && clock >= from && clock < to;
  return (begins(today) && clock >= from) || (begins(today - 1) && clock < to);
}

function clockOf(minutes: number): string {
  const minute = minutes % 1_440;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** A generator of numbers below a bound, which repeats. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}
