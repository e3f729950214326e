import { describe, expect, it } from 'vitest';
import { isSameAnswer } from '../../../../domain/agent/identity/compare-answers.js';

const same = (fieldType: string, stored: unknown, given: unknown, locales: string[] = []) =>
  isSameAnswer(stored, given, { fieldType, locales, region: 'US' });

describe('an answer of a caller', () => {
  it.each([
    ['text', 'Müller-Lüdenscheidt', 'muller ludenscheidt'],
    ['text', 'Ab-12 34', 'AB1234'],
    ['text', 'Straße', 'STRASSE'],
    ['select', 'north_end', 'North end'],
    ['integer', 4711, '4711'],
    ['integer', 4711, '004 711'],
    ['number', 1.5, '1,5'],
    ['email', 'Ann.Lee@example.com', ' ann.lee @example.com'],
    ['phone', '+12025550142', '(202) 555-0142'],
    ['date', '1980-05-04', '1980-5-4'],
    ['date', '1980-05-04', '04.05.1980'],
    ['date', '1980-05-04', '5/4/1980'],
    ['date', '1980-05-24', '24/05/1980'],
    ['date', '1980-05-04', 'May 4th, 1980'],
    ['date', '1980-05-04', '4 may 1980'],
    ['date', '1980-05-04', '04051980'],
    ['date', '1980-05-04', '05041980'],
    ['date', '1980-05-04', '19800504'],
  ])('of a %s is the same: %j as %j', (fieldType, stored, given) => {
    expect(same(fieldType, stored, given)).toBe(true);
  });

  it('may name the month in the language of the member', () => {
    expect(same('date', '1980-05-04', '4. Mai 1980', ['de-DE'])).toBe(true);
    expect(same('date', '1980-03-04', '4. März 1980', ['de-DE'])).toBe(true);
    expect(same('date', '1980-03-04', '4. März 1980')).toBe(false);
    expect(same('date', '1980-05-04', 'May 4, 1980', ['no locale'])).toBe(true);
  });

  it.each([
    ['text', 'Miller', 'Mill'],
    ['text', 'Miller', ''],
    ['text', '--', '..'],
    ['text', '', ''],
    ['text', null, ''],
    ['text', undefined, 'undefined'],
    ['text', null, 'null'],
    ['text', 'Miller', undefined],
    ['text', 'Miller', { text: 'Miller' }],
    ['integer', 4711, '4712'],
    ['integer', null, '0'],
    ['integer', 0, ''],
    ['date', '1980-05-04', '1980-05'],
    ['date', '1980-05-04', '4 May'],
    ['date', '1980-05-04', '040580'],
    ['date', '1980-02-30', '30.02.1980'],
    ['date', null, '1980-05-04'],
    ['phone', '+12025550142', '5550142'],
    ['email', 'ann@example.com', 'ann@example.org'],
    ['text', 'Miller', 'Miller '.repeat(1_000)],
  ])('of a %s is another: %j as %j', (fieldType, stored, given) => {
    expect(same(fieldType, stored, given)).toBe(false);
  });
});
