import { describe, expect, it } from 'vitest';
import { type WalkedList, walk } from '../../activities/kernel/walk.js';
import type { WalkPlace } from '../../db/identity/models/walk.js';

const pageSize = 100;

/** Lists of numbers, some longer than one call of `walk` can visit. */
class Walks {
  place: WalkPlace | undefined;
  readonly seen: string[] = [];
  readonly failures: object[] = [];
  readonly #sizes: Record<number, number>;
  unreadable: number | undefined;

  constructor(sizes: Record<number, number>) {
    this.#sizes = sizes;
  }

  #list(name: string): WalkedList<string> {
    return {
      name,
      page: async (workspaceId, after = 0) => {
        if (workspaceId === this.unreadable) throw new Error('the database is away');
        const size = this.#sizes[workspaceId] ?? 0;
        const last = Math.min(size, Number(after) + pageSize);
        const items = [];
        for (let item = Number(after) + 1; item <= last; item += 1)
          items.push(`${workspaceId}.${name}.${item}`);
        return { items, next: last < size ? last : undefined };
      },
    };
  }

  /** Continues the walk for this number of pages. */
  take(pages = Number.POSITIVE_INFINITY): Promise<boolean> {
    let asked = 0;
    return walk({
      name: 'test',
      walks: {
        placeOf: async () => this.place,
        savePlace: async (_name, place) => {
          this.place = place && JSON.parse(JSON.stringify(place));
        },
      },
      places: new Map(Object.keys(this.#sizes).map((id) => [Number(id), new Set(['one', 'two'])])),
      lists: [this.#list('one'), this.#list('two')],
      seeTo: async (items) => {
        this.seen.push(...items);
      },
      onFailure: (where) => this.failures.push(where),
      isTimeUp: () => {
        asked += 1;
        return asked >= pages;
      },
    });
  }
}

describe('walk', () => {
  it('visits each item once, and starts again after the end', async () => {
    const walks = new Walks({ 1: 250, 2: 0, 3: 10 });

    expect(await walks.take()).toBe(true);

    expect(walks.seen).toHaveLength(520);
    expect(new Set(walks.seen).size).toBe(520);
    expect(walks.place).toBeUndefined();
    await walks.take();
    expect(walks.seen).toHaveLength(1_040);
  });

  it.each([1, 2, 3, 7])(
    'continues where it stopped, %d pages at a time, through a workspace of any size',
    async (pages) => {
      const walks = new Walks({ 1: 5_000, 2: 1, 5: 3 });

      while (!(await walks.take(pages)));

      expect(walks.seen).toHaveLength(10_008);
      expect(new Set(walks.seen).size).toBe(10_008);
    },
  );

  it('skips a list that cannot be read, and reports the failure', async () => {
    const walks = new Walks({ 1: 5, 2: 5, 3: 5 });
    walks.unreadable = 2;

    expect(await walks.take()).toBe(true);

    expect(walks.seen).toHaveLength(20);
    expect(walks.failures).toEqual([
      { workspaceId: 2, list: 'one' },
      { workspaceId: 2, list: 'two' },
    ]);
  });
});
