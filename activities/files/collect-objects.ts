import { beforeDoomed, type DoomedObject, type DoomedPlace } from '../../db/files/collectable-objects.js';
import {
  collectableAt,
  doomAbandoned,
  doomExpired,
  forgetObjects,
  listDoomedObjects,
} from '../../domain/files/collect-objects.js';
import { objectKey } from '../../domain/files/object-store.js';
import { ProviderFailure, ProviderUnusable } from '../../providers/failures.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { atMost, type SettledList, settleInWorkspaces } from '../kernel/settle-in-workspaces.js';
import { beginSlice } from '../kernel/slice.js';

export interface Collected extends Sliced {
  objects: number;
  bytes: number;
  /** Objects whose bytes could not be deleted, and workspaces that could not be read; the log says why. */
  failed: number;
  /** False: the storage cannot be used, so that everything waits for the next pass. */
  finished: boolean;
}

/** Deleted within the time of an activity, however slow the storage is. */
const objectsAtOnce = 40;
const deletionsAtOnce = 8;
/** Of one workspace in one pass, so that the others have their turn. */
const maxBatches = 250;
/** After as many failures in a row it is the storage that fails, and not an object. */
const maxFailuresInRow = 20;

export function collectorActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'storage'>,
) {
  const { db, clock, logger, storage } = dependencies;

  return {
    /** Deletes the bytes of doomed and expired objects and of abandoned uploads, then their rows. */
    async collectObjects(): Promise<Collected> {
      const found = { objects: 0, bytes: 0, failed: 0, finished: true };
      const inRow = { failures: 0 };
      const isOver = beginSlice();
      const lists: SettledList[] = [
        { name: 'abandoned', settle: async (id) => (await doomAbandoned(dependencies, id)).next },
        { name: 'expired', settle: async (id) => (await doomExpired(dependencies, id)).next },
        atMost(maxBatches, {
          name: 'doomed',
          async settle(workspaceId, after = beforeDoomed) {
            try {
              return await collectIn(workspaceId, after as DoomedPlace, found, inRow);
            } catch (error) {
              if (!(error instanceof StorageAway)) throw error;
              found.finished = false;
              logger.warn({ workspaceId, code: error.code }, 'objects wait for the storage');
              return after;
            }
          },
        }),
      ];
      const due = await db.identity.walks.workspacesDue(collectableAt(clock.now()));
      const { next, ...collected } = await settleInWorkspaces(dependencies, found, {
        name: 'collect_objects',
        places: new Map([...due.keys()].map((id) => [id, new Set(lists.map(({ name }) => name))])),
        lists,
        failure: 'objects of a workspace are not collected',
        isTimeUp: () => !found.finished || isOver(),
      });
      if (found.objects > 0 || found.failed > 0) logger.info(collected, 'objects are collected');
      return found.finished && next !== undefined ? { ...collected, next } : collected;
    },
  };

  /** Deletes the next objects. @returns the place behind them; undefined: there are no more. @throws StorageAway */
  async function collectIn(
    workspaceId: number,
    after: DoomedPlace,
    found: { objects: number; bytes: number; failed: number },
    inRow: { failures: number },
  ): Promise<DoomedPlace | undefined> {
    const uuid = (await db.identity.workspaces.findById(workspaceId))?.uuid;
    if (uuid === undefined) return undefined;
    const doomed = await listDoomedObjects(dependencies, workspaceId, { after, limit: objectsAtOnce });
    const deleted: DoomedObject[] = [];
    let failed = 0;
    try {
      await atOnce(doomed, async (object) => {
        if (await deleteBytes(objectKey(uuid, object.uuid), workspaceId, inRow)) deleted.push(object);
        else failed += 1;
      });
    } finally {
      if (deleted.length > 0) {
        const { objects, bytes } = await forgetObjects(dependencies, workspaceId, deleted);
        found.objects += objects;
        found.bytes += bytes;
      }
      found.failed += failed;
    }
    const last = doomed.length < objectsAtOnce ? undefined : doomed.at(-1);
    return last && { id: last.id, stateSince: last.stateSince };
  }

  /** @returns whether they are gone. @throws StorageAway */
  async function deleteBytes(
    key: string,
    workspaceId: number,
    inRow: { failures: number },
  ): Promise<boolean> {
    try {
      await storage.delete(key);
      inRow.failures = 0;
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error instanceof ProviderUnusable) throw new StorageAway(error.code);
      inRow.failures += 1;
      if (inRow.failures >= maxFailuresInRow) throw new StorageAway(error.code);
      logger.warn({ workspaceId, code: error.code }, 'the bytes of an object are not deleted');
      return false;
    }
  }
}

/** Nothing can be deleted at the moment. */
class StorageAway extends Error {
  override readonly name = 'StorageAway';
  constructor(readonly code: string) {
    super(`The storage cannot be used (${code}).`);
  }
}

/** Stops with the first error, after the deletions that are under way. */
async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const errors: unknown[] = [];
  const takeTurns = async (): Promise<void> => {
    for (const item of left) {
      if (errors.length > 0) return;
      await work(item).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: deletionsAtOnce }, takeTurns));
  if (errors.length > 0) throw errors[0];
}
