import { describe, expect, it } from 'vitest';
import { addDuration, checkDuration } from '../../../domain/lib/duration.js';

const day = 24 * 3_600_000;

describe('checkDuration', () => {
  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '2 days',
    '1D',
    'xP1D',
    'P1D and more',
    '-P1D',
    'P-1D',
    'PT-5M',
    'P1Y-2M',
    'P0D',
    'PT0S',
    'PT0.0001S',
    'P0.5Y',
    'P5Y1D',
    'P61M',
    'P1827D',
    'PT999999999H',
  ])('rejects %j', (text) => {
    expect(checkDuration(text)).toMatchObject({ ok: false });
    expect(() => addDuration(new Date(0), text, 'UTC')).toThrow(RangeError);
  });
});

describe('addDuration', () => {
  it.each([
    ['PT1S', 1_000],
    ['PT1.5H', 5_400_000],
    ['PT0,5S', 500],
    ['P1DT12H', 1.5 * day],
    ['P2W', 14 * day],
    ['PT72H', 3 * day],
  ])('adds %s as a fixed number of milliseconds', (text, milliseconds) => {
    expect(checkDuration(text)).toEqual({ ok: true });
    const from = new Date('2030-03-30T12:00:00Z');
    expect(addDuration(from, text, 'UTC').getTime() - from.getTime()).toBe(milliseconds);
  });

  it.each([
    ['2030-01-31T10:00:00.000Z', 'P1M', '2030-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 'P1M', '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
    ['2030-11-30T10:00:00.000Z', 'P3MT1H', '2031-02-28T11:00:00.000Z'],
    ['2030-01-15T10:00:00.000Z', 'P5Y', '2035-01-15T10:00:00.000Z'],
  ])('adds to %s the duration %s, which gives %s', (from, text, to) => {
    expect(addDuration(new Date(from), text, 'UTC').toISOString()).toBe(to);
  });

  it('does not modify its argument', () => {
    const from = new Date('2030-01-31T10:00:00.000Z');
    addDuration(from, 'P1M', 'UTC');
    expect(from.toISOString()).toBe('2030-01-31T10:00:00.000Z');
  });
});
