import type { MenuItem } from './queries.js';

/** Levels that a menu may have. */
const maxLevels = 3;

/** An item as the list of a menu shows it. */
export interface MenuRow {
  item: MenuItem;
  /** From 1. */
  level: number;
  /** From 0, among its neighbours, of which there are so many. */
  position: number;
  neighbours: number;
}

/** Where an item is put, as the API takes it. */
export interface MenuPlace {
  parentId: number | null;
  position: number;
}

export function rowsOf(items: readonly MenuItem[], level = 1): MenuRow[] {
  return items.flatMap((item, position) => [
    { item, level, position, neighbours: items.length },
    ...rowsOf(item.children, level + 1),
  ]);
}

export const levelsOf = ({ children }: MenuItem): number => 1 + Math.max(0, ...children.map(levelsOf));

/** What an arrow key does with an item: up and down among its neighbours, in below the one before it, and out of its parent. */
export type Step = 'up' | 'down' | 'in' | 'out';

/** Where a step leads; undefined: nowhere. */
export function placeAfter(rows: readonly MenuRow[], id: number, step: Step): MenuPlace | undefined {
  const row = rows.find(({ item }) => item.id === id);
  if (row === undefined) return undefined;
  const { item, level, position, neighbours } = row;
  const beside = rows.filter((one) => one.item.parentId === item.parentId);
  const parent = rows.find((one) => one.item.id === item.parentId);
  if (step === 'up') return position === 0 ? undefined : { parentId: item.parentId, position: position - 1 };
  if (step === 'down')
    return position === neighbours - 1 ? undefined : { parentId: item.parentId, position: position + 1 };
  if (step === 'out') return parent && { parentId: parent.item.parentId, position: parent.position + 1 };
  const before = beside[position - 1]?.item;
  if (before === undefined || level + levelsOf(item) > maxLevels) return undefined;
  return { parentId: before.id, position: before.children.length };
}

/** The rows without an item and what is below it, between which it is put. */
export function rowsBeside(rows: readonly MenuRow[], item: MenuItem): MenuRow[] {
  const moved = new Set(rowsOf([item]).map((row) => row.item.id));
  return rows.filter((row) => !moved.has(row.item.id));
}

/**
 * Where an item is put that is dropped before one of the other rows, at a level that is wanted.
 * @param others the rows without the item and what is below it
 * @param gap how many of them are above it
 */
export function placeAt(
  others: readonly MenuRow[],
  gap: number,
  item: MenuItem,
  wanted: number,
): MenuPlace & { level: number } {
  const above = others.slice(0, gap);
  const most = Math.min((above.at(-1)?.level ?? 0) + 1, maxLevels + 1 - levelsOf(item));
  const level = Math.max(1, Math.min(most, Math.max(wanted, others[gap]?.level ?? 1)));
  const parent = above.findLast((row) => row.level === level - 1)?.item;
  const parentId = level === 1 ? null : (parent?.id ?? null);
  return { parentId, level, position: above.filter((row) => row.item.parentId === parentId).length };
}
