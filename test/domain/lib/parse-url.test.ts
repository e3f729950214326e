import { expect, it } from 'vitest';
import { parseUrl } from '../../../domain/lib/parse-url.js';

it('parses a URL with a letter outside of ASCII, also after V8 has compiled the function', () => {
  const parsed = Array.from({ length: 50_000 }, () => parseUrl('https://empfänger.example/')?.hostname);
  expect(new Set(parsed)).toEqual(new Set(['xn--empfnger-3za.example']));
});

it('returns undefined for a text that is not an absolute URL', () => {
  expect(parseUrl('receiver.example/hooks')).toBeUndefined();
});
