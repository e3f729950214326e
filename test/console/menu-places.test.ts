import { describe, expect, it } from 'vitest';
import { placeAfter, placeAt, rowsBeside, rowsOf } from '../../console/sites/menu-places.js';
import type { MenuItem } from '../../console/sites/queries.js';

/** Items by their ids: 1 has 2 and 3 below it, 3 has 4, and 5 is at the top. */
function item(id: number, parentId: number | null, children: MenuItem[] = []): MenuItem {
  return { id, parentId, children } as unknown as MenuItem;
}
const three = item(3, 1, [item(4, 3)]);
const five = item(5, null);
const menu = [item(1, null, [item(2, 1), three]), five];
const rows = rowsOf(menu);

describe('a step of an item in a menu', () => {
  it.each([
    ['up', 3, { parentId: 1, position: 0 }],
    ['down', 2, { parentId: 1, position: 1 }],
    ['in', 5, { parentId: 1, position: 2 }],
    ['out', 4, { parentId: 1, position: 2 }],
    ['out', 2, { parentId: null, position: 1 }],
    ['up', 1, undefined],
    ['down', 5, undefined],
    ['in', 1, undefined],
    ['out', 5, undefined],
  ] as const)('%s of %i', (step, id, place) => {
    expect(placeAfter(rows, id, step)).toEqual(place);
  });

  it('does not lead to a fourth level', () => {
    expect(placeAfter(rows, 3, 'in')).toBeUndefined();
  });
});

describe('an item that is dropped', () => {
  const beside = (moved: MenuItem) => rowsBeside(rows, moved);

  it.each([
    ['at the top, first', five, 0, 1, { parentId: null, position: 0, level: 1 }],
    ['below the first, as far as it may go', five, 1, 9, { parentId: 1, position: 0, level: 2 }],
    ['at the end, at the top', five, 4, 1, { parentId: null, position: 1, level: 1 }],
    ['at the end, below the last of the second level', five, 4, 3, { parentId: 3, position: 1, level: 3 }],
    ['before an item below another, not further out', five, 1, 1, { parentId: 1, position: 0, level: 2 }],
    ['with one below it, not below the second level', three, 2, 9, { parentId: 1, position: 1, level: 2 }],
  ] as const)('%s', (_, moved, gap, wanted, place) => {
    expect(placeAt(beside(moved), gap, moved, wanted)).toEqual(place);
  });
});
