import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../../domain/lib/locales.js';

describe('isTimezone', () => {
  it('accepts every name that Node.js reports', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimezone(name))).toEqual([]);
  });

  it.each(['UTC', 'GMT', 'CET', 'Asia/Calcutta', 'US/Eastern', 'GB', 'Etc/GMT-14', 'EST5EDT', 'Singapore'])(
    'accepts the old name %s',
    (name) => {
      expect(isTimezone(name)).toBe(true);
    },
  );

  it.each([
    'ACT',
    'BST',
    'IST',
    'ECT',
    'bst',
    'SystemV/EST5',
    '+02:00',
    'UTC+2',
    '',
    'Mars/Olympus',
    'posix/UTC',
  ])('refuses %j, which PostgreSQL reads otherwise or not at all', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});
