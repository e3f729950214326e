import { describe, expect, it } from 'vitest';
import { isTooLong, messageParts, partsAsWritten } from '../../../domain/channels/message-text.js';

const sms = (text: string) => messageParts('phone-sms', text);

describe('messageParts', () => {
  it('leaves a text of 1,600 characters whole', () => {
    expect(sms('x'.repeat(1_600))).toEqual(['x'.repeat(1_600)]);
    expect(sms('x'.repeat(1_601)).map(({ length }) => length)).toEqual([1_600, 1]);
  });

  it('splits at a paragraph, else after a sentence, else at a word', () => {
    const [words, more] = ['word '.repeat(250).trim(), 'more '.repeat(250).trim()];
    expect(sms(`${words}\n\n${more}`)).toEqual([words, more]);
    expect(sms(`${words}. ${more}`)).toEqual([`${words}.`, more]);
    expect(sms(`${words} ${more}`).join(' ')).toBe(`${words} ${more}`);
  });

  it.each([
    ['a surrogate pair', '😀', 2],
    ['a family of several emoji', '👨‍👩‍👧‍👦', 11],
    ['a flag', '🇩🇪', 4],
    ['a letter with combining marks', 'e\u0301\u0323', 3],
  ])('never splits inside %s', (_what, character, length) => {
    expect(character).toHaveLength(length);
    const most = Math.floor(1_600 / length) * length;
    for (let shift = 0; shift < length; shift += 1) {
      const parts = sms('x'.repeat(shift) + character.repeat(1_000));
      expect(parts.join('')).toBe('x'.repeat(shift) + character.repeat(1_000));
      for (const part of parts) {
        expect(part.replace(/^x+/, '').length % length).toBe(0);
        expect(part.length).toBeLessThanOrEqual(1_600);
      }
      expect(parts[0]?.length).toBeGreaterThan(most - length);
    }
  });

  it('splits a character that is longer than an SMS between two code points', () => {
    const character = `x${'𝅥'.repeat(2_000)}`;
    const parts = sms(character);
    expect(parts.join('')).toBe(character);
    const torn = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
    expect(parts.every((part) => part.length <= 1_600 && !torn.test(part))).toBe(true);
  });

  it('splits nothing on other channels, and has no part for a blank text', () => {
    expect(messageParts('web-chat', 'x'.repeat(5_000))).toHaveLength(1);
    expect([sms(' \n'), messageParts('web-chat', ' ')]).toEqual([[], []]);
  });
});

describe('a text that a person sends', () => {
  it('stays as it was written if it needs no parts', () => {
    expect(partsAsWritten('phone-sms', ' Hello \n')).toEqual([' Hello \n']);
    expect(partsAsWritten('phone-sms', `${'x'.repeat(1_600)} y`)).toEqual(['x'.repeat(1_600), 'y']);
    expect(partsAsWritten('phone-sms', `Hi${' '.repeat(2_000)}`)).toEqual(['Hi']);
    expect(partsAsWritten('web-chat', 'x'.repeat(5_000))).toEqual(['x'.repeat(5_000)]);
  });

  it('is too long beyond ten SMS', () => {
    expect(isTooLong('phone-sms', 'x'.repeat(16_000))).toBe(false);
    expect(isTooLong('phone-sms', 'x'.repeat(16_001))).toBe(true);
    expect(isTooLong('web-chat', 'x'.repeat(16_001))).toBe(false);
  });
});
