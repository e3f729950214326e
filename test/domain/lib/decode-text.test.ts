import { expect, it } from 'vitest';
import { decodeText } from '../../../domain/lib/decode-text.js';
import { textOfAnswer } from '../../../domain/sites/crawl/judge-answer.js';

const prices = '– täglich €5 “Käse” ’n';
const inWindows1252 = Buffer.from([
  ...[0x96, 0x20, 0x74, 0xe4, 0x67, 0x6c, 0x69, 0x63, 0x68, 0x20, 0x80, 0x35, 0x20],
  ...[0x93, 0x4b, 0xe4, 0x73, 0x65, 0x94, 0x20, 0x92, 0x6e],
]);

it.each(['windows-1252', 'iso-8859-1', 'ISO-8859-1', 'latin1', 'cp1252', undefined])(
  'decodeText reads typographic signs of windows-1252 as %s',
  (charset) => {
    expect(decodeText(inWindows1252, charset)).toBe(prices);
  },
);

it.each([
  ['UTF-8', Buffer.from(prices), undefined],
  ['UTF-8 of an unknown name', Buffer.from(prices), 'utf8mb4'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${prices}`, 'utf16le'), 'utf-8'],
  ['UTF-16 of the other order', Buffer.from(`\ufeff${prices}`, 'utf16le').swap16(), undefined],
])('decodeText reads %s', (_what, bytes, charset) => {
  expect(decodeText(bytes, charset)).toBe(prices);
});

it.each([
  ['windows-874', Buffer.from([0xe4, 0xb7, 0xc2]), 'ไทย'],
  ['tis-620', Buffer.from([0xe4, 0xb7, 0xc2]), 'ไทย'],
  ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ['iso-8859-15', Buffer.from([0xa4, 0xe4]), '€ä'],
  ['windows-1251', Buffer.from([0xc4, 0xe0]), 'Да'],
])('decodeText reads %s', (charset, bytes, text) => {
  expect(decodeText(bytes, charset)).toBe(text);
});

it.each([
  ['a page says so', '<html><head><meta charset="windows-1252"><p>\x80', '€'],
  [
    'a page says so in its type',
    '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-1"><p>\x80',
    '€',
  ],
  ['a declaration says so', '<?xml version="1.0" encoding="iso-8859-1"?><p>\x80', '€'],
  ['nothing says otherwise', '<p>\x80', '€'],
])('textOfAnswer reads windows-1252 where %s', (_what, page, sign) => {
  const bytes = Buffer.from(page, 'latin1');
  expect(textOfAnswer({ bytes, charset: undefined }).endsWith(sign)).toBe(true);
});

it('textOfAnswer reads pages in UTF-16 without a mark, and others that only say that they are', () => {
  const page = '<html><p>Päivä';
  expect(textOfAnswer({ bytes: Buffer.from(page, 'utf16le'), charset: undefined })).toBe(page);
  const said = '<meta charset="utf-16"><p>Päivä';
  expect(textOfAnswer({ bytes: Buffer.from(said), charset: undefined })).toBe(said);
});
