import { describe, expect, it } from 'vitest';
import { searchableValues, wordsField } from '../../domain/records/field-types/searchable-values.js';
import { afterPrefix, keyPrefix, textKey, wordsOf } from '../../domain/records/field-types/text-keys.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const isBefore = (one: string, other: string) => Buffer.compare(bytes(one), bytes(other)) < 0;

describe('textKey', () => {
  it.each([
    ['ANNA', 'anna'],
    ['  Anna \t  Berg ', 'anna berg'],
    ['Ｆｕｌｌ', 'full'],
    ['ﬁne', 'fine'],
    ['José', 'josé'],
    ['STRASSE', 'strasse'],
  ])('maps %s to %s', (text, key) => {
    expect(textKey(text)).toBe(key);
  });

  it('shortens a long text to a distinct key with the same beginning', () => {
    const long = `Report ${'x'.repeat(9_000)}`;

    expect(textKey(long).length).toBeLessThanOrEqual(200);
    expect(textKey(long)).toBe(textKey(long.toUpperCase()));
    expect(textKey(`${long}a`)).not.toBe(textKey(`${long}b`));
    expect(textKey(long).startsWith(keyPrefix('REPORT xx'))).toBe(true);
    expect(textKey(long).startsWith(keyPrefix(long))).toBe(true);
  });

  it('never cuts a character in half', () => {
    const key = textKey(`${'x'.repeat(149)}${'😀'.repeat(100)}`);

    expect(key).not.toMatch(/\p{Surrogate}/u);
  });
});

describe('afterPrefix', () => {
  it.each(['rob', 'a\u{10ffff}', '\ud7ff', 'é', '😀', 'ÿ'])(
    'sorts after %j and every text that begins with it',
    (prefix) => {
      const end = String(afterPrefix(prefix));

      for (const rest of ['', 'a', '\u{10ffff}\u{10ffff}'])
        expect(isBefore(`${prefix}${rest}`, end)).toBe(true);
    },
  );

  it('returns the first key after them, which does not begin with the prefix', () => {
    expect(afterPrefix('rob')).toBe('roc');
    expect(afterPrefix('a\u{10ffff}')).toBe('b');
    expect(afterPrefix('\ud7ff')).toBe('\ue000');
  });

  it('returns null for the last character', () => {
    expect(afterPrefix('\u{10ffff}')).toBeNull();
  });
});

describe('wordsOf', () => {
  it.each([
    ['Jürgen O’Neill-Smith', ['jurgen', 'o', 'neill', 'smith']],
    ['ann@example.org', ['ann', 'example', 'org']],
    ['Ann, ann! ANN', ['ann']],
    ['نورا ٤٢', ['نورا', '٤٢']],
    ['İstanbul', ['istanbul']],
    ['— … !', []],
  ])('returns for %s the words %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('searchableValues', () => {
  const field = (slug: string, fieldType: string, rules = {}) => ({
    slug,
    name: slug,
    fieldType,
    shouldIndex: true,
    ...rules,
  });

  it('returns a text or a number for each value, an entry for each word, and an empty entry for a missing value', () => {
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

  it('returns at most a thousand words', () => {
    const text = Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' ');

    const words = searchableValues([field('notes', 'textarea')], { notes: text }).filter(
      (one) => one.field === '',
    );

    expect(words).toHaveLength(1_000);
  });

  it('treats a value that does not have the type of its field as missing', () => {
    expect(searchableValues([field('age', 'number')], { age: 'seven' })).toEqual([
      { field: 'age', text: null, number: null, isUnique: false },
    ]);
  });
});
