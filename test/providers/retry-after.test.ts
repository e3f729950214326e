import { expect, test } from 'vitest';
import { retryAfterMs } from '../../providers/retry-after.js';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  ['7', 7_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
])('retryAfterMs for %s is %d ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test.each([undefined, '', 'soon', null])('retryAfterMs for %s is undefined', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});
