import { describe, expect, it } from 'vitest';
import { readReport } from '../../../../../domain/channels/email/inbound/delivery-report.js';

const part = (type: string, ...lines: string[]) => ({ type, content: Buffer.from(lines.join('\r\n')) });
const original = part('text/rfc822-headers', 'From: desk@clinic.example', 'Message-ID: <m1@clinic.example>');
const status = (...lines: string[]) =>
  part(
    'message/delivery-status',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; a@x.example',
    ...lines,
  );

describe('a delivery status notification', () => {
  it.each([
    ['failed', 'Action: failed', 'Status: 5.1.1', '5.1.1'],
    ['failed', 'Action: failed', 'Status: 4.4.7 (expired)', '4.4.7'],
    ['delayed', 'Action: delayed', 'Status: 4.4.1', '4.4.1'],
    ['delivered', 'Action: delivered', 'Status: 2.0.0', '2.0.0'],
    ['delivered', 'Action: relayed (to a server without notifications)', 'Status: 2.0.0', '2.0.0'],
    ['failed', 'Action: FAILED', 'Status: unknown', null],
  ])('says %s by its action and status', (kind, action, code, found) => {
    expect(readReport([status(action, code), original])).toEqual({
      kind,
      status: found,
      recipients: ['a@x.example'],
      messageId: '<m1@clinic.example>',
    });
  });

  it.each([
    ['RFC822; <a@x.example>'],
    ['rfc822;a@x.example'],
    ['RFC822 ; A@X.example'],
    ['rfc822; a@x.example (unknown user)'],
    ['(x) rfc822 (y); <a@x.example>'],
    ['utf-8; a@x.example'],
    ['UTF-8; \\x{61}@x.example'],
    ['a@x.example'],
    ['<a@x.example>'],
  ])('names the recipient in %s', (value) => {
    for (const field of ['Final-Recipient', 'Original-Recipient', 'X-Actual-Recipient']) {
      const report = part(
        'message/delivery-status',
        'Reporting-MTA: dns; mx.example',
        '',
        `${field}: ${value}`,
        'Action: failed',
        'Status: 5.1.1',
      );
      expect(readReport([report])?.recipients).toEqual(['a@x.example']);
    }
  });

  it('is read from whichever of its parts has the fields', () => {
    const text = part('message/delivery-status', 'This mail could not be delivered.');
    const found = status('Action: failed(permanently)', 'Status: 5.1.1');
    expect(readReport([text, found, original])).toMatchObject({ kind: 'failed', status: '5.1.1' });
    const utf8 = { ...found, type: 'message/global-delivery-status' };
    expect(readReport([utf8, { ...original, type: 'message/global-headers' }])).toMatchObject({
      kind: 'failed',
      messageId: '<m1@clinic.example>',
    });
  });

  it('names no message if the original did not come with it', () => {
    expect(readReport([status('Action: failed', 'Status: 5.1.1')])?.messageId).toBeNull();
  });

  it('is none without an action that is known', () => {
    expect(readReport([status('Status: 5.1.1')])).toBeUndefined();
    expect(readReport([part('message/delivery-status', 'Reporting-MTA: dns; x')])).toBeUndefined();
    expect(
      readReport([part('message/delivery-status', ...Array(50_000).fill('')), original]),
    ).toBeUndefined();
    expect(readReport([original])).toBeUndefined();
    expect(readReport([])).toBeUndefined();
  });
});

describe('a feedback report', () => {
  const feedback = (type: string) =>
    part('message/feedback-report', `Feedback-Type: ${type}`, 'User-Agent: x/1', 'Version: 1');

  it.each(['abuse', 'Fraud', 'opt-out'])('of the type %s is a complaint', (type) => {
    expect(readReport([feedback(type), original])).toEqual({
      kind: 'complaint',
      status: null,
      recipients: [],
      messageId: '<m1@clinic.example>',
    });
  });

  it.each(['not-spam', 'auth-failure', ''])('of the type "%s" is none', (type) => {
    expect(readReport([feedback(type), original])).toBeUndefined();
  });
});
