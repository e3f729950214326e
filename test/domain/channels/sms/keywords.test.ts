import { expect, it } from 'vitest';
import { findKeyword } from '../../../../domain/channels/sms/keywords.js';

it.each(['please stop', 'STOP.', 'stop it', 'startup', '', 'yes', 'info', 'unstop', 'CANCEL my visit'])(
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
