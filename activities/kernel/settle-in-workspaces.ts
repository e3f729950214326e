import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from './dependencies.js';
import { beginSlice } from './slice.js';
import { walk } from './walk.js';

/** A list in each workspace, whose rows are settled batch by batch. */
export interface SettledList {
  name: string;
  /** Settles a batch. @returns the place of the next one; undefined: nothing is left */
  settle(workspaceId: number, after: unknown): Promise<unknown>;
}

export interface Settling {
  /** The name under which the pass notes its place. */
  name: string;
  /** The workspaces, ascending, with the names of the lists that have anything there. */
  places: ReadonlyMap<number, ReadonlySet<string>>;
  lists: readonly SettledList[];
  /** What the log says of a list that fails. */
  failure: string;
  isTimeUp?: () => boolean;
}

/** Settles rows for a slice of a pass. A list that fails is counted and logged, and does not stop the rest. */
export async function settleInWorkspaces<Found extends { failed: number }>(
  { db, logger }: Pick<ActivityDependencies, 'db' | 'logger'>,
  found: Found,
  { name, places, lists, failure, isTimeUp = beginSlice() }: Settling,
): Promise<Found & Sliced> {
  const finished = await walk<never>({
    name,
    walks: db.identity.walks,
    places,
    lists: lists.map(({ name: list, settle }) => ({
      name: list,
      page: async (workspaceId, after) => ({ items: [], next: await settle(workspaceId, after) }),
    })),
    seeTo: async () => {},
    onFailure(where, error) {
      found.failed += 1;
      logger.warn({ ...where, code: error instanceof Error ? error.name : 'unknown' }, failure);
    },
    isTimeUp,
  });
  return finished ? found : { ...found, next: true };
}

/** A list of which a pass settles only so many batches in a workspace, so that others have their turn; the next pass goes on. */
export function atMost(most: number, list: SettledList): SettledList {
  return {
    ...list,
    async settle(workspaceId, after) {
      const { batches, at } = (after ?? { batches: 0 }) as { batches: number; at?: unknown };
      const next = await list.settle(workspaceId, at);
      return next === undefined || batches + 1 >= most ? undefined : { batches: batches + 1, at: next };
    },
  };
}
