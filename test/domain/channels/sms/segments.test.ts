import { describe, expect, it } from 'vitest';
import { countSegments } from '../../../../domain/channels/sms/segments.js';

describe('countSegments', () => {
  it.each([
    ['an empty text', '', 1],
    ['160 letters', 'x'.repeat(160), 1],
    ['161 letters', 'x'.repeat(161), 2],
    ['306 letters, which fill two', 'x'.repeat(306), 2],
    ['307 letters', 'x'.repeat(307), 3],
    ['1,600 letters', 'x'.repeat(1_600), 11],
    ['80 euro signs, of two places each', '€'.repeat(80), 1],
    ['81 euro signs', '€'.repeat(81), 2],
    // 153 places hold 76 euro signs, and one place stays empty.
    ['152 euro signs', '€'.repeat(152), 2],
    ['153 euro signs', '€'.repeat(153), 3],
    ['letters of the alphabet with accents', 'àèìòùÄÖÜß'.repeat(17), 1],
    ['70 letters of another alphabet', 'я'.repeat(70), 1],
    ['71 letters of another alphabet', 'я'.repeat(71), 2],
    ['one emoji among letters', `${'x'.repeat(68)}😀`, 1],
    ['an emoji too many', `${'x'.repeat(69)}😀`, 2],
    ['35 emoji', '😀'.repeat(35), 1],
    // 67 places hold 33 emoji, because none is divided.
    ['66 emoji', '😀'.repeat(66), 2],
    ['67 emoji', '😀'.repeat(67), 3],
    ['1,600 places of emoji', '😀'.repeat(800), 25],
  ])('counts %s', (_what, text, segments) => {
    expect(countSegments(text)).toBe(segments);
  });
});
