import { expect, it } from 'vitest';
import { explainSmsError, optsOut, retryDelayMs } from '../../../../domain/channels/sms/error-codes.js';

it.each(['21211', '21614', '30004', '30005', '30006', '30007', '21610', '99999'])(
  'retryDelayMs never retries after error %s',
  (code) => {
    expect(retryDelayMs(code, 1)).toBeUndefined();
  },
);

it.each(['30003', '30008'])(
  'retryDelayMs retries twice after error %s, with a longer delay each time',
  (code) => {
    expect([1, 2, 3].map((attempts) => retryDelayMs(code, attempts))).toEqual([60_000, 300_000, undefined]);
  },
);

it('optsOut is true for error 21610 only', () => {
  expect(['21610', '21211', '30003', '99999'].filter(optsOut)).toEqual(['21610']);
});

it('explainSmsError has a short reason for every code', () => {
  expect(explainSmsError('21610').reason).toBe('opted_out');
  expect(explainSmsError('99999').reason).toBe('carrier_error');
});
