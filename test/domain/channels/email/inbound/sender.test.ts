import { describe, expect, it } from 'vitest';
import {
  provedSender,
  readResults,
} from '../../../../../domain/channels/email/inbound/authentication-results.js';
import { fromAddress } from '../../../../../domain/channels/email/inbound/from-address.js';
import { readHeader } from '../../../../../domain/channels/email/inbound/headers.js';
import { processorMs } from '../../../../support/lib/processor-ms.js';
import { headerOf } from './mails.js';

describe('the address of From', () => {
  it.each([
    ['ana@example.org', 'ana@example.org'],
    ['<Ana@Example.org>', 'ana@example.org'],
    ['Ana Diaz <ana@example.org>', 'ana@example.org'],
    ['"Diaz, Ana (home)" <ana@example.org>', 'ana@example.org'],
    ['=?utf-8?q?Ana_D=C3=ADaz?= <ana@example.org>', 'ana@example.org'],
    ['Ana (of <eve@example.com>) <ana@example.org>', 'ana@example.org'],
    ['"eve@example.com" <ana@example.org>', 'ana@example.org'],
    ['ana@example.org <ana@example.org>', 'ana@example.org'],
    ['Ana@Example.org <ana@example.org>', 'ana@example.org'],
    ["'ana@example.org' <ana@example.org>", 'ana@example.org'],
    ['Diaz, Ana <ana@example.org>', 'ana@example.org'],
    ['Diaz, Ana, Dr. <ana@example.org>', 'ana@example.org'],
    ['Clinic: Ana <ana@example.org>', 'ana@example.org'],
    ['Clinic; Ana <ana@example.org>', 'ana@example.org'],
    ['Ana @ Home <ana@example.org>', 'ana@example.org'],
    ['<ana@example.org>;', 'ana@example.org'],
    ['Ana <ana@example.org>;', 'ana@example.org'],
  ])('of %s is the one that receives answers', (value, address) => {
    expect(fromAddress(headerOf(`From: ${value}`).fields)).toBe(address);
  });

  it.each([
    ['two addresses', 'ana@example.org, eve@example.com'],
    ['two in angle brackets', 'Ana <ana@example.org> <eve@example.com>'],
    ['an address before the one in brackets', 'ana@example.org <eve@example.com>'],
    ['a list before the one in brackets', 'ana@example.org, Eve <eve@example.com>'],
    ['a list behind it', 'Ana <ana@example.org>, eve@example.com'],
    ['two in brackets in a list', 'Ana <ana@example.org>, Eve <eve@example.com>'],
    ['a spaced address before', 'ana @ example.org <eve@example.com>'],
    ['a half address before', 'ana@ <eve@example.com>'],
    ['a quoted local part before', '"ana"@example.org <eve@example.com>'],
    ['two signs behind', '<ana@example.org>;;'],
    ['brackets in the wrong order', '> Ana <ana@example.org'],
    ['a group of two in brackets', 'Friends: Ana <ana@example.org>, Eve <eve@example.com>;'],
    ['a group', 'Friends: ana@example.org, eve@example.com;'],
    ['an empty group', 'Undisclosed recipients:;'],
    ['a quoted local part', '"ana@example.org x"@example.com'],
    ['a comment within', 'ana(comment)@example.org'],
    ['blanks within', 'ana @ example.org'],
    ['a route', '<@example.com:ana@example.org>'],
    ['a comment without an end', 'Ana (of <ana@example.org>'],
    ['text behind', '<ana@example.org> eve'],
    ['a domain of one label', 'ana@localhost'],
    ['no address', 'Ana Diaz'],
    ['nothing', ''],
  ])('is null with %s', (_what, value) => {
    expect(fromAddress(headerOf(`From: ${value}`).fields)).toBeNull();
  });

  it('is null with two From fields, whichever programs would take', () => {
    expect(fromAddress(headerOf('From: ana@example.org', 'From: ana@example.org').fields)).toBeNull();
    expect(fromAddress(headerOf('From: ana@example.org', 'From : eve@example.com').fields)).toBeNull();
    expect(fromAddress(headerOf('To: ana@example.org').fields)).toBeNull();
  });
});

const from = 'From: Ana <ana@example.org>';
const server = 'mx.clinic.example';
const proved = (...results: string[]) =>
  provedSender(headerOf(...results.map((value) => `Authentication-Results: ${value}`), from), server);

describe('a sender', () => {
  it.each([
    ['mx.clinic.example; dmarc=pass header.from=example.org'],
    [
      'mx.clinic.example 1; spf=fail smtp.mailfrom=x.example; dmarc=pass (p=reject dis=none) header.from=example.org',
    ],
    ['MX.clinic.example; DMARC=Pass action=none header.from=Example.ORG;'],
    [
      'mx.clinic.example (a comment; dmarc=fail); dkim=none; dmarc/1=pass reason="ok; dmarc=fail" header.from=example.org',
    ],
    [
      'mx.clinic.example; spf=pass smtp.mailfrom=prvs=1234=ana@example.org; dmarc=pass header.from=example.org',
    ],
  ])('is proved by %s', (value) => {
    expect(proved(value)).toBe('ana@example.org');
  });

  it('is proved by one of several fields of the server', () => {
    expect(
      proved(
        'mx.clinic.example; spf=pass smtp.mailfrom=a@x.example',
        'mx.clinic.example; dmarc=pass header.from=example.org',
      ),
    ).toBe('ana@example.org');
  });

  it.each([
    ['the field of another server', 'mx.attacker.example; dmarc=pass header.from=example.org'],
    [
      'a server whose name begins alike',
      'mx.clinic.example.attacker.example; dmarc=pass header.from=example.org',
    ],
    ['a server in a comment', '(mx.clinic.example) x.example; dmarc=pass header.from=example.org'],
    ['another result', 'mx.clinic.example; dmarc=fail header.from=example.org'],
    ['SPF alone', 'mx.clinic.example; spf=pass smtp.mailfrom=ana@example.org'],
    ['another domain', 'mx.clinic.example; dmarc=pass header.from=example.com'],
    ['a subdomain', 'mx.clinic.example; dmarc=pass header.from=mail.example.org'],
    ['no domain', 'mx.clinic.example; dmarc=pass'],
    ['a pass in a comment', 'mx.clinic.example; dmarc=fail (dmarc=pass) header.from=example.org'],
    [
      'a pass in a nested comment',
      'mx.clinic.example; dmarc=none (a (b) ; dmarc=pass header.from=example.org)',
    ],
    [
      'a pass in a quoted MAIL FROM',
      'mx.clinic.example; spf=fail smtp.mailfrom="x; dmarc=pass header.from=example.org"@e.example; dmarc=fail header.from=example.org',
    ],
    [
      'a pass in a MAIL FROM that is not quoted',
      'mx.clinic.example; spf=fail smtp.mailfrom=x; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org',
    ],
    ['a pass in a reason', 'mx.clinic.example; spf=fail reason="; dmarc=pass header.from=example.org"'],
    [
      'a pass behind an escaped quote',
      'mx.clinic.example; spf=fail reason="\\"; dmarc=pass header.from=example.org"',
    ],
    ['a quote without an end', 'mx.clinic.example; spf=fail reason="; dmarc=pass header.from=example.org'],
    ['a comment without an end', 'mx.clinic.example (; dmarc=pass header.from=example.org'],
    ['text that is no result', 'mx.clinic.example; dmarc=pass header.from=example.org garbage'],
    ['the property twice', 'mx.clinic.example; dmarc=pass header.from=example.com header.from=example.org'],
    ['a method of another version', 'mx.clinic.example; dmarc/2=pass header.from=example.org'],
    ['a field of another version', 'mx.clinic.example 2; dmarc=pass header.from=example.org'],
    ['a result with more than pass', 'mx.clinic.example; dmarc=pass=fail header.from=example.org'],
    ['a comment before the id', '(x) mx.clinic.example; dmarc=pass header.from=example.org'],
    ['quotes around the id', '"mx.clinic.example"; dmarc=pass header.from=example.org'],
    ['a letter that is no ASCII', 'mx.clinic.example; dmarc=pass header.from=example.org reason="\u212a"'],
    ['no result', 'mx.clinic.example; none'],
  ])('is not proved by %s', (_what, value) => {
    expect(proved(value)).toBeNull();
  });

  it('is not proved if two fields have a result', () => {
    const pass = 'mx.clinic.example; dmarc=pass header.from=example.org';
    expect(proved(pass, pass)).toBeNull();
    expect(proved(pass, 'mx.clinic.example; dmarc=fail header.from=example.org')).toBeNull();
  });

  it('is not proved if a field of the server cannot be read', () => {
    const pass = 'mx.clinic.example; dmarc=pass header.from=example.org';
    expect(
      proved(pass, 'mx.clinic.example; spf=fail smtp.helo=(x; dmarc=fail header.from=example.org'),
    ).toBeNull();
    expect(proved(pass, 'mx.other.example; spf=fail smtp.helo=(x')).toBe('ana@example.org');
  });

  it('is not proved without a server that is trusted, or with a header that may be read in two ways', () => {
    const pass = 'Authentication-Results: mx.clinic.example; dmarc=pass header.from=example.org';
    expect(provedSender(headerOf(pass, from), null)).toBeNull();
    expect(provedSender(headerOf(pass, from, 'From: eve@example.com'), server)).toBeNull();
    const mixed = readHeader(Buffer.from(`${pass}\r\n${from}\nX: 1\r\n\r\n`));
    expect(mixed && provedSender(mixed, server)).toBeNull();
  });

  it('is not proved by a field that is folded into another', () => {
    const injected = headerOf(
      'X-Note: hello',
      ' Authentication-Results: mx.clinic.example; dmarc=pass header.from=example.org',
      from,
    );
    expect(provedSender(injected, server)).toBeNull();
  });

  it('of a mailing list that has put itself into From is the list, whatever else the mail says', () => {
    const header = headerOf(
      'Authentication-Results: mx.clinic.example; dmarc=pass header.from=lists.example',
      'From: Ana via List <list@lists.example>',
      'X-Original-From: ana@example.org',
      'Reply-To: ana@example.org',
    );
    expect(provedSender(header, server)).toBe('list@lists.example');
  });

  it('takes no time to refuse what is made to take some', () => {
    const time = processorMs(() => {
      for (const part of ['(', '"', '\\', ';', '=', 'a=', '()', '""']) {
        readResults(`mx.clinic.example; ${part.repeat(100_000)}`);
      }
    });
    expect(time).toBeLessThan(1_000);
  });
});
