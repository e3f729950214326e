import { expect, it } from 'vitest';
import { reasonOf } from '../../../../tools/dev/provision/obtain-temporal.js';

it.each([
  [
    'a message with those of its causes',
    new Error('no download', { cause: new Error('DNS\n  failed') }),
    'no download: DNS failed',
  ],
  ['a repeated message once', new Error('same', { cause: new Error('same') }), 'same'],
  ['no more than 300 characters', new Error('x'.repeat(1_000)), 'x'.repeat(300)],
  ['what is no error', 'refused', 'refused'],
])('the reason of a failed download is %s', (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
