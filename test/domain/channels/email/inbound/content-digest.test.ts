import { describe, expect, it } from 'vitest';
import { beginDigest } from '../../../../../domain/channels/email/inbound/content-digest.js';
import {
  isRecipient,
  tokensInRecipients,
} from '../../../../../domain/channels/email/inbound/plus-addresses.js';
import { processorMs } from '../../../../support/lib/processor-ms.js';
import { headerOf } from './mails.js';

const mail = ['From: ana@example.org', 'Message-ID: <1@example.org>', 'Subject: Hello there'];
const digest = (lines: string[], provedBy: string | null = 'ana@example.org', body = 'Hello') =>
  beginDigest(headerOf(...lines).fields, provedBy)
    .update(body)
    .digest('hex');

describe('the digest of a mail', () => {
  it('is the same for a copy that came another way', () => {
    const copy = [
      'Received: by x',
      'Received: by y',
      ...mail.slice(0, 2),
      'Subject: Hello',
      ' there',
      'X-Spam: no',
    ];
    expect(digest(copy)).toBe(digest(mail));
  });

  it('differs with the body, a field of its sender, and the proof of the sender', () => {
    const all = [
      digest(mail),
      digest(mail, 'ana@example.org', 'Hello!'),
      digest(['From: eve@example.com', ...mail.slice(1)]),
      digest([...mail.slice(0, 2), 'Subject: Another']),
      digest(mail, null),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

const token = 'abcdefghijklmnopqrstuvwxy2';

describe('the tokens of a mail', () => {
  it.each(['To', 'Cc', 'Delivered-To', 'X-Original-To', 'Envelope-To'])('are found in %s', (name) => {
    const { fields } = headerOf(
      `${name}: "Desk" <Desk+R.${token.toUpperCase()}@clinic.example>, x@y.example`,
    );
    expect(tokensInRecipients(fields)).toEqual([{ kind: 'reply', token }]);
  });

  it('are of two kinds, each found once', () => {
    const { fields } = headerOf(
      `To: desk+b.${token}@clinic.example, desk+r.${token.replace('2', '3')}@clinic.example`,
      `Cc: desk+b.${token}@clinic.example`,
    );
    expect(tokensInRecipients(fields).map(({ kind }) => kind)).toEqual(['return', 'reply']);
  });

  it('are not found elsewhere, or in other addresses', () => {
    const { fields } = headerOf(
      `Subject: desk+r.${token}@clinic.example`,
      `From: desk+r.${token}@clinic.example`,
      `To: desk+r.${token}x@clinic.example, desk+news@clinic.example`,
    );
    expect(tokensInRecipients(fields)).toEqual([]);
  });

  it('are looked for in little time', () => {
    const { fields } = headerOf(`To: ${'a'.repeat(200_000)}`);
    expect(processorMs(() => expect(tokensInRecipients(fields)).toEqual([]))).toBeLessThan(2_000);
  });
});

describe('a recipient', () => {
  it('is a whole address', () => {
    const { fields } = headerOf('To: Juana <juana@example.org>', 'Cc: <BOB@example.org>');
    expect(isRecipient(fields, 'bob@example.org')).toBe(true);
    expect(isRecipient(fields, 'ana@example.org')).toBe(false);
  });
});
