import type { WalkPlace } from '../../db/identity/models/walk.js';
import type { WalksTable } from '../../db/identity/walks.js';
import type { WalkPage } from '../../domain/lib/paging.js';

/** A list in each workspace that a walk reads page by page. */
export interface WalkedList<Item> {
  name: string;
  page(workspaceId: number, after: unknown): Promise<WalkPage<Item, unknown>>;
}

export interface Walk<Item> {
  /** The name under which the walk's position is stored. */
  name: string;
  walks: Pick<WalksTable, 'placeOf' | 'savePlace'>;
  /** The workspaces, ascending, with the names of the lists that have anything there. */
  places: ReadonlyMap<number, ReadonlySet<string>>;
  lists: readonly WalkedList<Item>[];
  /** Processes items of one or more workspaces. Must not throw for a single item. */
  seeTo(items: Item[]): Promise<void>;
  /** Called when a page cannot be read; the walk then skips the rest of the list. */
  onFailure(failure: { workspaceId: number; list: string }, error: unknown): void;
  /** Whether the time is up: the walk then stops at its position. */
  isTimeUp(): boolean;
}

/** Looked up within the time of an activity, however slow Temporal is. */
const itemsAtOnce = 100;
const placesAtOnce = 100;

/** From the stored position of the previous walk until the time is up. @returns whether the walk was completed */
export async function walk<Item>(options: Walk<Item>): Promise<boolean> {
  const { name, walks, lists, seeTo, isTimeUp } = options;
  let pending: Item[] = [];
  let places = 0;
  const from = await walks.placeOf(name);
  let saved = from;
  const settle = async (place: WalkPlace | undefined): Promise<void> => {
    await seeTo(pending);
    pending = [];
    places = 0;
    // Most walks begin and end without a position.
    if (place !== saved) await walks.savePlace(name, place);
    saved = place;
  };

  for (const [workspaceId, names] of options.places) {
    if (from !== undefined && workspaceId < from.workspaceId) continue;
    const isFirst = workspaceId === from?.workspaceId;
    const firstList = isFirst ? lists.findIndex((list) => list.name === from.list) : 0;
    for (const list of lists.slice(Math.max(firstList, 0))) {
      if (!names.has(list.name)) continue;
      let after = isFirst && list.name === from.list ? from.after : undefined;
      for (;;) {
        const page = await pageOf(options, list, workspaceId, after);
        pending.push(...page.items);
        places += 1;
        after = page.next;
        const isEnd = after === undefined;
        const place = isEnd ? behind(lists, list, workspaceId) : { workspaceId, list: list.name, after };
        if (isTimeUp()) {
          await settle(place);
          return false;
        }
        if (pending.length >= itemsAtOnce || places >= placesAtOnce) await settle(place);
        if (isEnd) break;
      }
    }
  }
  await settle(undefined);
  return true;
}

function behind<Item>(
  lists: readonly WalkedList<Item>[],
  list: WalkedList<Item>,
  workspaceId: number,
): WalkPlace {
  const next = lists[lists.indexOf(list) + 1];
  if (next !== undefined) return { workspaceId, list: next.name };
  return { workspaceId: workspaceId + 1, list: lists[0]?.name ?? '' };
}

async function pageOf<Item>(
  { onFailure }: Walk<Item>,
  list: WalkedList<Item>,
  workspaceId: number,
  after: unknown,
): Promise<WalkPage<Item, unknown>> {
  try {
    return await list.page(workspaceId, after);
  } catch (error) {
    onFailure({ workspaceId, list: list.name }, error);
    return { items: [], next: undefined };
  }
}
