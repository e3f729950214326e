import { expect, it } from 'vitest';
import { explainSmsError, optsOut, retryDelayMs } from '../../../../domain/channels/sms/error-codes.js';

it.each(['21211', '21614', '30004', '30005', '30006', '30007', '21610', '99999'])(
  '%s is never retried',
  (code) => {
    expect(retryDelayMs(code, 1)).toBeUndefined();
  },
);

it.each(['30003', '30008'])('%s is retried twice, later each time', (code) => {
  expect([1, 2, 3].map((attempts) => retryDelayMs(code, attempts))).toEqual([60_000, 300_000, undefined]);
});

it('only 21610 opts out', () => {
  expect(['21610', '21211', '30003', '99999'].filter(optsOut)).toEqual(['21610']);
});

it('every code has a short reason', () => {
  expect(explainSmsError('21610').reason).toBe('opted_out');
  expect(explainSmsError('99999').reason).toBe('carrier_error');
});
