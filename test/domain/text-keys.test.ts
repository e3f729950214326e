import { describe, expect, it } from 'vitest';
import { searchableValues, wordsField } from '../../domain/records/field-types/searchable-values.js';
import { afterPrefix, keyPrefix, textKey, wordsOf } from '../../domain/records/field-types/text-keys.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const isBefore = (one: string, other: string) => Buffer.compare(bytes(one), bytes(other)) < 0;

describe('what a text is compared by', () => {
  it.each([
    ['ANNA', 'anna'],
    ['  Anna \t  Berg ', 'anna berg'],
    ['Ｆｕｌｌ', 'full'],
    ['ﬁne', 'fine'],
    ['José', 'josé'],
    ['STRASSE', 'strasse'],
  ])('%s is %s', (text, key) => {
    expect(textKey(text)).toBe(key);
  });

  it('is short, the same for the same long text only, and begins as the text does', () => {
    const long = `Report ${'x'.repeat(9_000)}`;

    expect(textKey(long).length).toBeLessThanOrEqual(200);
    expect(textKey(long)).toBe(textKey(long.toUpperCase()));
    expect(textKey(`${long}a`)).not.toBe(textKey(`${long}b`));
    expect(textKey(long).startsWith(keyPrefix('REPORT xx'))).toBe(true);
    expect(textKey(long).startsWith(keyPrefix(long))).toBe(true);
  });

  it('never ends in half a character', () => {
    const key = textKey(`${'x'.repeat(149)}${'😀'.repeat(100)}`);

    expect(key).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('the end of all that begin with a text', () => {
  it.each(['rob', 'a\u{10ffff}', '\ud7ff', 'é', '😀', 'ÿ'])('is after %j and whatever follows', (prefix) => {
    const end = String(afterPrefix(prefix));

    for (const rest of ['', 'a', '\u{10ffff}\u{10ffff}'])
      expect(isBefore(`${prefix}${rest}`, end)).toBe(true);
  });

  it('leaves out what does not begin so', () => {
    expect(afterPrefix('rob')).toBe('roc');
    expect(afterPrefix('a\u{10ffff}')).toBe('b');
    expect(afterPrefix('\ud7ff')).toBe('\ue000');
  });

  it('is none after the last character there is', () => {
    expect(afterPrefix('\u{10ffff}')).toBeNull();
  });
});

describe('the words of a text', () => {
  it.each([
    ['Jürgen O’Neill-Smith', ['jurgen', 'o', 'neill', 'smith']],
    ['ann@example.org', ['ann', 'example', 'org']],
    ['Ann, ann! ANN', ['ann']],
    ['نورا ٤٢', ['نورا', '٤٢']],
    ['İstanbul', ['istanbul']],
    ['— … !', []],
  ])('of %s are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('what a record is found by', () => {
  const field = (slug: string, fieldType: string, rules = {}) => ({
    slug,
    name: slug,
    fieldType,
    shouldIndex: true,
    ...rules,
  });

  it('is a text or a number for each value, a word each, and a mark where there is none', () => {
    const fields = [
      field('name', 'text'),
      field('tags', 'multiselect'),
      field('age', 'integer', { shouldIndex: false, unique: true }),
      field('active', 'boolean'),
      field('since', 'date'),
      field('plain', 'text', { shouldIndex: false }),
    ];
    const values = { name: 'Ann Berg', tags: ['Red', 'red', 'blue'], age: 7, active: false, plain: 'Secret' };

    expect(searchableValues(fields, values)).toEqual([
      { field: 'name', text: 'ann berg', number: null, isUnique: false },
      { field: 'tags', text: 'red', number: null, isUnique: false },
      { field: 'tags', text: 'blue', number: null, isUnique: false },
      { field: 'age', text: null, number: 7, isUnique: true },
      { field: 'active', text: 'false', number: null, isUnique: false },
      { field: 'since', text: null, number: null, isUnique: false },
      ...['ann', 'berg', 'red', 'blue'].map((text) => ({
        field: wordsField,
        text,
        number: null,
        isUnique: false,
      })),
    ]);
  });

  it('is no more than a thousand words', () => {
    const text = Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' ');

    const words = searchableValues([field('notes', 'textarea')], { notes: text }).filter(
      (one) => one.field === '',
    );

    expect(words).toHaveLength(1_000);
  });

  it('passes over a value that is not of its type', () => {
    expect(searchableValues([field('age', 'number')], { age: 'seven' })).toEqual([
      { field: 'age', text: null, number: null, isUnique: false },
    ]);
  });
});
