import { describe, expect, it } from 'vitest';
import { makeToken, plusAddress, readPlusAddress } from '../../../../domain/channels/email/addresses.js';
import { attachmentsLimit, findNoRoom } from '../../../../domain/channels/email/attachments.js';
import { explainEmailError } from '../../../../domain/channels/email/smtp-replies.js';
import { asSubject, replySubject } from '../../../../domain/channels/email/subject.js';
import {
  isRelayed,
  isReserved,
  normalizeInboxAddress,
} from '../../../../domain/channels/inboxes/inbox-address.js';

describe('addresses with tokens', () => {
  it('are read as they were made, whatever a mail server does to the case of letters', () => {
    const token = makeToken();
    const inboxAddress = 'front-desk@clinic.example';
    for (const kind of ['reply', 'return'] as const) {
      const address = plusAddress(inboxAddress, kind, token);
      expect(readPlusAddress(address.toUpperCase())).toEqual({ inboxAddress, kind, token });
    }
  });

  it('have a local part that mail servers take, for the longest one of an inbox', () => {
    const address = plusAddress(`${'a'.repeat(32)}@clinic.example`, 'return', makeToken());
    expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64);
  });

  it('have tokens that cannot be guessed', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, makeToken));
    expect(tokens.size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{26}$/);
  });

  it.each([
    'desk@clinic.example',
    'desk+r.short@clinic.example',
    'desk+x.abcdefghijklmnopqrstuvwxyz@c.example',
  ])('are not %s', (address) => expect(readPlusAddress(address)).toBeUndefined());
});

describe('addresses of inboxes', () => {
  const policy = { domain: 'inboxes.example', reserved: ['login@inboxes.example'], allowsUnencrypted: false };

  it.each([
    [' Front.Desk@Inboxes.Example ', 'front.desk@inboxes.example'],
    ['a@b.example', 'a@b.example'],
    ['a+b@inboxes.example', null],
    ['.a@inboxes.example', null],
    ['a..b@inboxes.example', null],
    ['"a b"@inboxes.example', null],
    ['a@[127.0.0.1]', null],
    ['a@inboxes.example\r\nBcc: b@c.example', null],
    [`${'a'.repeat(33)}@inboxes.example`, null],
  ])('%j is stored as %j', (text, address) => expect(normalizeInboxAddress(text)).toBe(address));

  it('are relayed at exactly the domain of the operator, except its own', () => {
    expect(isRelayed('desk@inboxes.example', policy)).toBe(true);
    expect(isRelayed('desk@a.inboxes.example', policy)).toBe(false);
    expect(isRelayed('desk@inboxes.example.org', policy)).toBe(false);
    expect(isRelayed('desk@inboxes.example', { domain: undefined })).toBe(false);
    expect(isReserved('postmaster@inboxes.example', policy)).toBe(true);
    expect(isReserved('login@inboxes.example', policy)).toBe(true);
    expect(isReserved('postmaster@clinic.example', policy)).toBe(false);
  });
});

describe('subjects', () => {
  it.each([
    ['Your visit\r\nBcc: x@y.example', 'Your visit Bcc: x@y.example'],
    ['  many \t blanks\u2028here ', 'many blanks here'],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ])('are one line: %j', (text, subject) => expect(asSubject(text)).toBe(subject));

  it.each(['Visit', 'Re: Visit', 'RE: AW: Fwd: Visit', 'Re[2]: Visit'])(
    'of a reply to %j begin with one Re:',
    (text) => expect(replySubject(text)).toBe('Re: Visit'),
  );
});

describe('what a mail server says', () => {
  it.each([
    ['5.1.1', 'unknown_address', true, false],
    ['5.2.2', 'mailbox_full', false, false],
    ['4.2.2', 'mailbox_full', false, true],
    ['5.3.4', 'email_too_large', false, false],
    ['5.7.1', 'email_refused', false, false],
    ['550', 'email_refused', false, false],
    ['450', 'email_deferred', false, true],
    ['4.7.0', 'email_deferred', false, true],
    ['EENVELOPE', 'email_refused', false, false],
  ])('%s is %s', (code, reason, optsOut, isTriedAgain) => {
    const meaning = explainEmailError(code);
    expect(meaning).toMatchObject({ reason, optsOut });
    expect(meaning.retryDelaysMs.length > 0).toBe(isTriedAgain);
  });
});

it('finds the file with which an email becomes too large', () => {
  const files = [{ fileSize: 1 }, { fileSize: attachmentsLimit - 1 }, { fileSize: 1 }];
  expect(findNoRoom(files.slice(0, 2))).toBeUndefined();
  expect(findNoRoom(files)).toBe(2);
});
