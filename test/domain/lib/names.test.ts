import { describe, expect, it } from 'vitest';
import { exceeds } from '../../../domain/lib/characters.js';
import { isName } from '../../../domain/lib/names.js';
import { processorMs } from '../../support/lib/processor-ms.js';

describe('isName', () => {
  it.each([
    ['letters', 'Example'],
    ['letters beside spaces', ' Example Person '],
    ['one digit', '7'],
    ['an emoji of several characters', '👩\u200d⚕\ufe0f'],
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Hangul', '한국어'],
    ['Hebrew with a directional mark', 'שלום\u200f'],
    ['letters after a byte order mark', '\ufeffname'],
    ['a combining mark', 'e\u0301'],
  ])('accepts %s', (_what, text) => {
    expect(isName(text)).toBe(true);
  });

  it.each([
    ['empty', ''],
    ['blanks', '   '],
    ['a no-break space', '\u00a0'],
    ['a zero-width space', '\u200b'],
    ['joiners only', '\u200d\u200c'],
    ['a Hangul filler', '\u3164'],
    ['a blank Braille pattern', '\u2800'],
    ['a control character', 'bell\u0007'],
    ['a line feed', 'first\nsecond'],
    ['a line separator', 'first\u2028second'],
    ['a right-to-left override', 'invoice\u202efdp'],
    ['an isolate', 'one\u2067two'],
    ['a byte order mark', '\ufeff'],
    ['a directional mark', '\u200f'],
  ])('rejects %s', (_what, text) => {
    expect(isName(text)).toBe(false);
  });

  it('runs in linear time', () => {
    const measure = (length: number) => {
      const text = `${' '.repeat(length)}${'a'.repeat(length)}\u0007`;
      return processorMs(() => expect(isName(text)).toBe(false));
    };
    measure(1_000);

    expect(measure(500_000)).toBeLessThan(200);
  });
});

describe('exceeds', () => {
  it.each([
    ['200 emoji', '😀'.repeat(200), false],
    ['201 emoji', '😀'.repeat(201), true],
    ['200 letters', 'a'.repeat(200), false],
    ['201 letters', 'a'.repeat(201), true],
    ['a very long text', 'a'.repeat(1_000_000), true],
  ])('counts code points: %s', (_what, text, over) => {
    expect(exceeds(text, 200)).toBe(over);
  });
});
