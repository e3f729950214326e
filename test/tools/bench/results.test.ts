import { expect, it } from 'vitest';
import { drawFigures } from '../../../tools/bench/draw-figures.js';
import { type Entry, readEntries } from '../../../tools/bench/entry.js';
import { beyondTarget, relate, relationTable } from '../../../tools/bench/relation.js';

const result = { name: 'get-record', unit: 'requests/s', floor: 100, difference: -40 } as const;
const rate = (ratio: number) => ({
  ...result,
  target: { ratioAtLeast: 0.5 },
  measured: ratio * 100,
  ratio,
});
const memory = (measured: number) =>
  ({
    name: 'memory-api',
    unit: 'MB',
    target: { atMost: 200 },
    floor: null,
    measured,
    ratio: null,
    difference: null,
  }) as const;
const entry = (commit: string, results: Entry['results']): Entry => ({
  commit,
  date: '2026-05-04',
  node: '24.1.0',
  cores: 2,
  memoryGb: 8,
  results,
});

it('relates the medians of two trees, and a figure falls by more than a twentieth of it', () => {
  const bases = [rate(0.6), rate(0.1), rate(0.6)];
  expect(relate(bases, [rate(0.58), rate(0.9), rate(0.58)])).toMatchObject({
    base: 0.6,
    head: 0.58,
    fell: false,
  });
  expect(relate(bases, [rate(0.56)])).toMatchObject({ relation: expect.closeTo(0.933), fell: true });
});

it('takes more for worse where a figure has to be low', () => {
  expect(relate([memory(100)], [memory(104)]).fell).toBe(false);
  expect(relate([memory(100)], [memory(107)]).fell).toBe(true);
  const fallen = relate([memory(100)], [memory(50)]);
  expect(relationTable([{ ...fallen, fell: true }])).toMatch(/memory-api +100 +50\.0 +0\.500 +FELL/);
});

it('takes values about nothing for alike', () => {
  expect(relate([memory(0.3)], [memory(-0.1)])).toMatchObject({ base: 0.3, head: -0.1, fell: false });
  expect(relate([memory(-0.1)], [memory(0.3)]).fell).toBe(false);
  expect(relate([memory(-0.1)], [memory(11)]).fell).toBe(true);
});

it.each([
  [rate(0.75), 1.5],
  [{ ...rate(0.75), target: { ratioAtMost: 1.5 } }, 2],
  [memory(400), 0.5],
  [{ ...memory(400), difference: 4, target: { moreAtMost: 2 } }, 0.5],
  [{ ...memory(400), difference: -1, target: { moreAtMost: 2 } }, Number.POSITIVE_INFINITY],
])('says how far a result is beyond its target: %j', (one, beyond) => {
  expect(beyondTarget(one)).toBe(beyond);
});

it('draws a line for each figure over the benches that have it', () => {
  const entries = [
    entry('a1', [rate(0.5)]),
    entry('b2', [rate(0.25), memory(100)]),
    entry('c3', [rate(1), memory(800)]),
  ];
  const lines = entries.map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(readEntries(lines)).toEqual(entries);

  const svg = drawFigures(entries);

  const drawn = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = '']) => points.split(' '));
  expect(drawn.map(({ length }) => length)).toEqual([3, 2]);
  // The first is at its target, half as good and twice as good.
  expect(drawn[0]).toEqual(['230.0,54.0', '470.0,59.5', '710.0,48.5']);
  expect(svg).toMatch(/get-record[\s\S]*2\.00 ×[\s\S]*memory-api[\s\S]*0\.25 ×/);
  expect(drawFigures([])).toContain('nothing yet');
});
