import { describe, expect, it } from 'vitest';
import {
  answeredIds,
  maxHeaderBytes,
  messageIdOf,
  readHeader,
  valuesOf,
} from '../../../../../domain/channels/email/inbound/headers.js';
import { processorMs } from '../../../../support/lib/processor-ms.js';
import { headerOf } from './mails.js';

describe('the header of a mail', () => {
  it('has its fields in order, unfolded, with names in lower case', () => {
    const { fields, isWellFormed } = headerOf('From: ana@example.org', 'Subject: one', '\ttwo', 'X: 3');
    expect(fields).toEqual([
      { name: 'from', value: 'ana@example.org' },
      { name: 'subject', value: 'one two' },
      { name: 'x', value: '3' },
    ]);
    expect(isWellFormed).toBe(true);
  });

  it('ends at the first empty line, where the body begins', () => {
    const bytes = Buffer.from('A: 1\n\nFrom: somebody@example.org\n');
    const header = readHeader(bytes);
    expect(header?.fields).toHaveLength(1);
    expect(bytes.subarray(header?.bodyAt).toString()).toBe('From: somebody@example.org\n');
  });

  it('is undefined if it does not end, or is too large to be one', () => {
    expect(readHeader(Buffer.from('A: 1\n'))).toBeUndefined();
    expect(readHeader(Buffer.alloc(0))).toBeUndefined();
    expect(readHeader(Buffer.from(`A: ${'x'.repeat(maxHeaderBytes)}\n\n`))).toBeUndefined();
  });

  it.each([
    ['line ends of two kinds', 'A: 1\r\nFrom: ana@example.org\nB: 2\r\n\r\n'],
    ['a return within a line', 'A: 1\rFrom: ana@example.org\r\nB: 2\r\n\r\n'],
    ['a line that is no field', 'A: 1\r\nno field\r\n\r\n'],
    ['a line of blanks', 'A: 1\r\n \r\nB: 2\r\n\r\n'],
    ['a zero byte', 'A: 1\0\r\n\r\n'],
    ['a first line that continues nothing', ' A: 1\r\n\r\n'],
  ])('is not well formed with %s', (_what, text) => {
    expect(readHeader(Buffer.from(text))?.isWellFormed).toBe(false);
  });

  it('takes a name with a blank before the colon for that name, as others do', () => {
    expect(valuesOf(headerOf('From : eve@example.org').fields, 'from')).toEqual(['eve@example.org']);
  });
});

describe('the Message-IDs of a mail', () => {
  it('are those of several In-Reply-To values, then those of References from the newest on, each once', () => {
    const { fields } = headerOf('References: <a@x> <b@x>', ' <c@x>', 'In-Reply-To: <d@x> of <b@x>');
    expect(answeredIds(fields)).toEqual(['<d@x>', '<b@x>', '<c@x>', '<a@x>']);
  });

  it('are bounded, and not quadratic in what has no end', () => {
    const { fields } = headerOf(`References: ${'<'.repeat(100_000)} ${'<a@x> '.repeat(3)}`);
    expect(processorMs(() => expect(answeredIds(fields)).toEqual(['<a@x>']))).toBeLessThan(500);
    const many = Array.from({ length: 200 }, (_, at) => `<${at}@x>`).join(' ');
    expect(answeredIds(headerOf(`References: ${many}`).fields)).toHaveLength(30);
  });

  it('have visible characters only', () => {
    const { fields } = headerOf('In-Reply-To: <a\0b@x> <c@x>', 'Message-ID: <ñ@x>');
    expect(answeredIds(fields)).toEqual(['<c@x>']);
    expect(messageIdOf(fields)).toBeNull();
  });

  it('are null for a mail with none of its own, or with two', () => {
    expect(messageIdOf(headerOf('Message-ID: <a@x>').fields)).toBe('<a@x>');
    expect(messageIdOf(headerOf('Message-ID: <a@x>', 'Message-ID: <b@x>').fields)).toBeNull();
    expect(messageIdOf(headerOf('Subject: none').fields)).toBeNull();
  });
});

describe('a mail that a pipe has written', () => {
  const lines = ['From eve@example.com Mon Nov  2 09:00:00 2026', 'From: ana@example.org', '', 'Hello', ''];
  it.each(['\n', '\r\n'])('has a line of the envelope on top, which is no field', (ending) => {
    const header = readHeader(Buffer.from(lines.join(ending)));
    expect(header).toMatchObject({
      isWellFormed: true,
      fields: [{ name: 'from', value: 'ana@example.org' }],
    });
  });

  it('has it at the very beginning only', () => {
    const [envelope, ...rest] = lines;
    for (const top of [
      [envelope, envelope],
      ['X: 1', envelope],
    ]) {
      expect(readHeader(Buffer.from([...top, ...rest].join('\n')))?.isWellFormed).toBe(false);
    }
    expect(readHeader(Buffer.from('From eve@example.com'))).toBeUndefined();
  });
});
