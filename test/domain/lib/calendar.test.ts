import { describe, expect, it } from 'vitest';
import { addDays, countDays, dayOf } from '../../../domain/lib/local-time.js';

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
