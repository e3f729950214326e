import { expect, it } from 'vitest';
import { deliveryStatusOf } from '../../../../domain/channels/sms/delivery-status.js';
import { explainSmsError } from '../../../../domain/channels/sms/error-codes.js';
import { findKeyword } from '../../../../domain/channels/sms/keywords.js';

it.each([
  ['accepted', 'sent'],
  ['scheduled', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['failed', 'failed'],
  ['undelivered', 'failed'],
  ['canceled', 'failed'],
  ['received', undefined],
  ['constructor', undefined],
])('deliveryStatusOf maps %s to %s', (carrierStatus, status) => {
  expect(deliveryStatusOf(carrierStatus)).toBe(status);
});

it.each([
  ...['21211', '21614', '30004', '30005', '30006', '30007', '21610', '11751', '12300', '30019', '99999'].map(
    (code) => ({
      code,
      delays: [],
    }),
  ),
  ...['11200', '30003', '30008'].map((code) => ({ code, delays: [60_000, 300_000] })),
])('explainSmsError retries after error $code with the delays $delays', ({ code, delays }) => {
  expect(explainSmsError(code).retryDelaysMs).toEqual(delays);
});

it.each([
  ['21610', { reason: 'opted_out', optsOut: true }],
  ['21211', { optsOut: false }],
  ['30003', { optsOut: false }],
  ['11200', { reason: 'media_unreachable', optsOut: false }],
  ['11751', { reason: 'media_too_large' }],
  ['12300', { reason: 'media_refused' }],
  ['30011', { reason: 'mms_unsupported' }],
  ['99999', { reason: 'carrier_error', optsOut: false }],
])('explainSmsError explains error %s as %j', (code, meaning) => {
  expect(explainSmsError(code)).toMatchObject(meaning);
});

it.each(['stop it', 'startup', '', 'yes', 'info', 'CANCEL my visit'])(
  'findKeyword takes %j for an ordinary message',
  (body) => {
    expect(findKeyword(body)).toBeNull();
  },
);

it.each([
  ...['STOP', 'stopall', 'Unsubscribe', ' end ', 'quit\n', 'CANCEL', 'revoke', 'OptOut'].map((body) => [
    body,
    'stop',
  ]),
  ['start', 'start'],
  ['\tHelp ', 'help'],
])('findKeyword takes %j for the keyword %s', (body, keyword) => {
  expect(findKeyword(body)).toBe(keyword);
});
