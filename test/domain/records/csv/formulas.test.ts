import { describe, expect, it } from 'vitest';
import { neutralize, restore } from '../../../../domain/records/csv/formulas.js';
import { hostileText, seeded } from '../../../support/lib/hostile-texts.js';

const starters = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

describe('neutralize', () => {
  it.each(starters)('marks a text that begins with %j, also after blanks and apostrophes', (starter) => {
    expect(neutralize(`${starter}A1`)).toBe(`'${starter}A1`);
    expect(neutralize(`  ${starter}1`)).toBe(`'  ${starter}1`);
    expect(neutralize(`'${starter}1`)).toBe(`''${starter}1`);
  });

  it('leaves other texts unchanged, including words that begin with an apostrophe', () => {
    for (const text of ['', 'a=1', "'s-Hertogenbosch", "'", "''", ' a', '1+1', '#N/A', "o'-clock"]) {
      expect(neutralize(text)).toBe(text);
      expect(restore(text)).toBe(text);
    }
  });

  it('leaves numbers and phone numbers unchanged, whose mark in older files restore removes', () => {
    for (const text of ['+12025550123', '-5', '+1.5e-7', '-0']) expect(neutralize(text)).toBe(text);
    for (const text of ['+1+1', '-2-A1', '+1 (202)', '+1\n=A1', '-', '+.5']) {
      expect(neutralize(text)).toBe(`'${text}`);
    }
    expect(restore("'+12025550123")).toBe('+12025550123');
  });

  it('is undone by restore for every text, and leaves no text that a spreadsheet would execute', () => {
    const pick = seeded(1);
    const texts = Array.from({ length: 20_000 }, () => hostileText(pick));

    expect(texts.map((text) => restore(neutralize(text)))).toEqual(texts);
    const isNumber = (text: string) => /^[+-]\d[\d.eE+-]*$/.test(text) && !Number.isNaN(Number(text));
    const run = texts.filter(
      (text) =>
        !isNumber(text) &&
        [neutralize(text), neutralize(text).trimStart()].some((cell) => starters.includes(cell[0] ?? '')),
    );
    expect(run).toEqual([]);
  });
});

it('restore leaves numbers without a mark unchanged', () => {
  expect(restore('+12025550123')).toBe('+12025550123');
  expect(restore('-5')).toBe('-5');
});
