import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { addDuration } from '../../../domain/lib/duration.js';
import { addDays, countDays, dayOf, describeLocalTime, readMoment } from '../../../domain/lib/local-time.js';

describe('readMoment', () => {
  it.each([
    ['2030-07-01T10:00', 'Europe/Paris', '2030-07-01T08:00:00.000Z'],
    ['2030-01-01T10:00', 'Europe/Paris', '2030-01-01T09:00:00.000Z'],
    ['2030-07-01T10:00', 'America/New_York', '2030-07-01T14:00:00.000Z'],
    ['2030-07-01T10:00:30.5', 'Asia/Kolkata', '2030-07-01T04:30:30.500Z'],
    ['2030-07-01T10:00Z', 'America/New_York', '2030-07-01T10:00:00.000Z'],
    ['2030-07-01T10:00+02:00', 'America/New_York', '2030-07-01T08:00:00.000Z'],
    ['2030-07-01T10:00-0330', 'UTC', '2030-07-01T13:30:00.000Z'],
    ['2030-07-01T10:00+02', 'UTC', '2030-07-01T08:00:00.000Z'],
    // A day begins at midnight in the time zone of the member.
    ['2030-08-01', 'America/New_York', '2030-08-01T04:00:00.000Z'],
    ['2030-08-01', 'Pacific/Auckland', '2030-07-31T12:00:00.000Z'],
    // The clock skips these hours, and this midnight.
    ['2030-03-31T02:30', 'Europe/Paris', '2030-03-31T01:30:00.000Z'],
    ['2030-03-10T02:30', 'America/New_York', '2030-03-10T07:30:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // These times occur twice: the first occurrence is used.
    ['2030-10-27T02:30', 'Europe/Paris', '2030-10-27T00:30:00.000Z'],
    ['2030-11-03T01:30', 'America/New_York', '2030-11-03T05:30:00.000Z'],
    // A clock change of half an hour, in the southern hemisphere.
    ['2030-04-07T01:45', 'Australia/Lord_Howe', '2030-04-06T14:45:00.000Z'],
    // A day that a country skipped.
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('reads %s in %s as %s', (text, timezone, expected) => {
    expect(readMoment(text, timezone)?.toISOString()).toBe(expected);
  });

  it.each([
    'Friday 10',
    'call at 10',
    'Room 3',
    '5',
    '12345',
    '12.01.2027',
    '01/02/2027',
    'tomorrow',
    '',
    '2030-02-29',
    '2030-13-01',
    '2030-00-10',
    '2030-01-00',
    '2030-01-01T24:00',
    '2030-01-01T10:60',
    '2030-01-01T10',
    '2030-01-01 10:00',
    '2030-01-01T10:00 Z',
    '2030-01-01T10:00+25:00',
    '2030-01-01Z',
    '+012345-01-01',
    'at 2030-01-01',
  ])('rejects %j', (text) => {
    expect(readMoment(text, 'Europe/Paris')).toBeUndefined();
  });
});

describe('addDuration in a time zone', () => {
  it.each([
    // The local time is the same on the next day, whatever the length of the night.
    ['2030-03-30T09:00:00.000Z', 'P1D', 'Europe/Paris', '2030-03-31T08:00:00.000Z'],
    ['2030-10-26T08:00:00.000Z', 'P1D', 'Europe/Paris', '2030-10-27T09:00:00.000Z'],
    ['2030-03-30T09:00:00.000Z', 'PT24H', 'Europe/Paris', '2030-03-31T09:00:00.000Z'],
    ['2030-03-27T09:00:00.000Z', 'P1W', 'Europe/Paris', '2030-04-03T08:00:00.000Z'],
    ['2030-02-28T23:30:00.000Z', 'P1M', 'Europe/Paris', '2030-03-31T22:30:00.000Z'],
    ['2030-03-30T09:00:00.000Z', 'P1DT1H', 'Europe/Paris', '2030-03-31T09:00:00.000Z'],
    ['2030-03-30T09:00:00.000Z', 'P1D', 'UTC', '2030-03-31T09:00:00.000Z'],
    // To a time that the clock skips, and to a time that occurs twice.
    ['2030-03-30T01:30:00.000Z', 'P1D', 'Europe/Paris', '2030-03-31T01:30:00.000Z'],
    ['2030-10-26T00:30:00.000Z', 'P1D', 'Europe/Paris', '2030-10-27T00:30:00.000Z'],
  ])('adds to %s the duration %s in %s, which gives %s', (from, text, timezone, expected) => {
    expect(addDuration(new Date(from), text, timezone).toISOString()).toBe(expected);
  });

  it('adds a day that leads to the same local time from each hour of a year, unless the clock skips that time', () => {
    const timezone = 'America/New_York';
    const time = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeStyle: 'short' });
    let skipped = 0;
    for (let hour = 0; hour < 365 * 24; hour += 1) {
      const from = new Date(Date.UTC(2030, 0, 1, hour));
      const to = addDuration(from, 'P1D', timezone);
      if (time.format(to) !== time.format(from)) skipped += 1;
      const length = (to.getTime() - from.getTime()) / 3_600_000;
      expect(length).toBeGreaterThanOrEqual(23);
      expect(length).toBeLessThanOrEqual(25);
    }
    expect(skipped).toBe(1);
  });
});

describe('describeLocalTime', () => {
  it.each([
    ['2030-07-01T22:05:00Z', 'Europe/Paris', 'Tuesday 2030-07-02 00:05 (Europe/Paris, UTC+02:00)'],
    ['2030-01-01T03:30:00Z', 'America/St_Johns', 'Tuesday 2030-01-01 00:00 (America/St_Johns, UTC-03:30)'],
    ['2030-01-01T12:00:00Z', 'UTC', 'Tuesday 2030-01-01 12:00 (UTC, UTC+00:00)'],
  ])('describes %s in %s as %j', (moment, timezone, expected) => {
    expect(describeLocalTime(new Date(moment), timezone)).toBe(expected);
  });

  it('gives the same result in workers of different time zones', () => {
    const module = new URL('../../../domain/lib/duration.ts', import.meta.url).href;
    const script = `
      const { addDuration } = await import('${module}');
      const { readMoment, describeLocalTime } = await import('${module.replace('duration', 'local-time')}');
      const from = new Date('2030-03-30T09:00:00Z');
      console.log(readMoment('2030-08-01T10:00', 'Europe/Paris').toISOString(), readMoment('2030-08-01', 'Asia/Tokyo').toISOString(),
        addDuration(from, 'P1MT1H', 'America/New_York').toISOString(), describeLocalTime(from, 'Europe/Paris'));`;
    const told = ['UTC', 'America/New_York', 'Pacific/Apia'].map((TZ) =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: { ...process.env, TZ },
        encoding: 'utf8',
      }),
    );

    expect(told[0]).toContain('2030-08-01T08:00:00.000Z');
    expect(new Set(told).size).toBe(1);
  });
});

describe('dayOf', () => {
  it.each([
    ['2030-01-01T00:30:00Z', 'America/Chicago', '2029-12-31'],
    ['2030-01-01T00:30:00Z', 'UTC', '2030-01-01'],
    ['2029-12-31T15:00:00Z', 'Asia/Tokyo', '2030-01-01'],
  ])('returns for %s in %s the day %s', (moment, timezone, day) => {
    expect(dayOf(new Date(moment), timezone)).toBe(day);
  });
});

it('addDays adds across months, leap days and clock changes', () => {
  expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
  expect(addDays('2030-03-01', -1)).toBe('2030-02-28');
  expect(addDays('2030-03-09', 2)).toBe('2030-03-11');
});

it('countDays includes both ends', () => {
  expect(countDays('2030-03-01', '2030-03-01')).toBe(1);
  expect(countDays('2028-01-01', '2028-12-31')).toBe(366);
  expect(countDays('2030-03-02', '2030-03-01')).toBe(0);
});
