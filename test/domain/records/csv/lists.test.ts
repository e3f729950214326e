import { expect, it } from 'vitest';
import { formatList, parseList } from '../../../../domain/records/csv/lists.js';
import { hostileText, seeded } from '../../../support/lib/hostile-texts.js';
import { processorMs } from '../../../support/lib/processor-ms.js';

it('parseList returns the items that formatList wrote, whatever they contain', () => {
  const pick = seeded(2);
  const lists = Array.from({ length: 10_000 }, () =>
    Array.from({ length: Math.floor(pick() * 5) }, () => hostileText(pick)),
  );
  expect(lists.map((items) => parseList(formatList(items)))).toEqual(lists);
});

it('formatList quotes only the items that need it', () => {
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
])('parseList reads %j, as people write it, as %j', (cell, items) => {
  expect(parseList(cell)).toEqual(items);
});

it.each(['"new', 'ne"w', '"new" er', 'a,"b', '"""'])('parseList rejects %j because of its quotes', (cell) => {
  expect(parseList(cell)).toBeNull();
});

it('parseList takes little time on long invalid cells', () => {
  const time = processorMs(() => {
    for (const part of [' ', '""', '"" ', ',', "'"]) {
      parseList(`${part.repeat(65_000)}x"`);
      parseList(`"${part.repeat(65_000)}x`);
    }
  });
  expect(time).toBeLessThan(2_000);
});
