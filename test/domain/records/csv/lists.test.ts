import { expect, it } from 'vitest';
import { formatList, parseList } from '../../../../domain/records/csv/lists.js';
import { hostileText, seeded } from '../../../support/hostile-texts.js';

it('a list comes back from its cell, whatever its items hold', () => {
  const pick = seeded(2);
  const lists = Array.from({ length: 10_000 }, () =>
    Array.from({ length: Math.floor(pick() * 5) }, () => hostileText(pick)),
  );

  expect(lists.map((items) => parseList(formatList(items)))).toEqual(lists);
});

it('quotes only what needs it', () => {
  expect(formatList(['new', 'a,b', 'say "a"', ' x'])).toBe('new,"a,b","say ""a"""," x"');
  expect(formatList([])).toBe('');
  expect(formatList([''])).toBe('""');
});

it.each<[string, string[]]>([
  [' new , old ', ['new', 'old']],
  ['new,', ['new']],
  [',,new,,', ['new']],
  [' "a,b" , c', ['a,b', 'c']],
  ['  ', []],
])('%j is what people write for %j', (cell, items) => {
  expect(parseList(cell)).toEqual(items);
});

it.each(['"new', 'ne"w', '"new" er', 'a,"b', '"""'])('%j has quotes that do not match', (cell) => {
  expect(parseList(cell)).toBeNull();
});

it('takes long cells that lead nowhere in no time', () => {
  const begun = performance.now();
  for (const part of [' ', '""', '"" ', ',', "'"]) {
    parseList(`${part.repeat(65_000)}x"`);
    parseList(`"${part.repeat(65_000)}x`);
  }
  expect(performance.now() - begun).toBeLessThan(2_000);
});
