import { expect, it } from 'vitest';
import { plainText, storedExternalId } from '../../../domain/lib/plain-text.js';

it.each([
  ['a blank behind it', 'A1 ', 'A1'],
  ['a no-break space before it', '\u00a0A1', 'A1'],
  ['a zero-width space within it', 'A\u200b1', 'A1'],
  ['a byte order mark', '\ufeffA1', 'A1'],
  ['a soft hyphen', 'A\u00ad1', 'A1'],
  ['marks of direction', '\u202aA1\u202c\u200e', 'A1'],
  ['a variation selector', 'A1\ufe0f', 'A1'],
  ['a line end of a cell', 'A1\r\n', 'A1'],
  ['no-break spaces within it', 'A\u00a01', 'A 1'],
  ['decomposed letters', 'Mu\u0308ller', 'Müller'],
  ['a decomposed Finnish letter', 'Pa\u0308ivi', 'Päivi'],
  ['decomposed Hangul', '\u1112\u1161\u11ab', '한'],
  ['Thai with a zero-width joiner', 'ไทย\u200d๑', 'ไทย๑'],
  ['a letter that is another', 'А1', 'А1'],
])('plainText is the same for an id with %s', (_what, text, plain) => {
  expect(plainText(text)).toBe(plain);
  expect(plainText(plain)).toBe(plain);
});

it.each(['', ' ', '\u200b', '\u00a0\ufeff'])(
  'storedExternalId refuses %j, of which nothing is seen',
  (text) => {
    expect(() => storedExternalId(text)).toThrow();
  },
);
