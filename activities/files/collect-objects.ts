import { heartbeat } from '@temporalio/activity';
import type { DoomedObject } from '../../db/files/collectable-objects.js';
import {
  doomAbandoned,
  doomExpired,
  forgetObjects,
  listDoomedObjects,
} from '../../domain/files/collect-objects.js';
import { objectKey } from '../../domain/files/object-store.js';
import { ProviderFailure, ProviderUnusable } from '../../providers/failures.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { eachWorkspace } from '../kernel/each-workspace.js';

export interface Collected {
  objects: number;
  bytes: number;
  /** Objects whose bytes could not be deleted, and workspaces that could not be read; the log says why. */
  failed: number;
  /** False: the storage cannot be used, so that everything waits for the next pass. */
  finished: boolean;
}

const objectsAtOnce = 100;
const deletionsAtOnce = 8;
/** Of one workspace in one pass, so that the others have their turn. */
const mostOfWorkspace = 10_000;
/** After as many failures in a row it is the storage that fails, and not an object. */
const mostFailuresInRow = 20;

export function collectorActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'storage'>,
) {
  const { db, logger, storage } = dependencies;

  return {
    /** Deletes the bytes of doomed and expired objects and of abandoned uploads, then their rows. */
    async collectObjects(): Promise<Collected> {
      const found: Collected = { objects: 0, bytes: 0, failed: 0, finished: true };
      const failure = 'objects of a workspace are not collected';
      await eachWorkspace(dependencies, found, failure, async (workspaceId, stop) => {
        try {
          await collectIn(workspaceId, found);
        } catch (error) {
          if (!(error instanceof StorageAway)) throw error;
          found.finished = false;
          logger.warn({ workspaceId, code: error.code }, 'objects wait for the storage');
          stop();
        }
      });
      if (found.objects > 0 || found.failed > 0) logger.info({ ...found }, 'objects are collected');
      return found;
    },
  };

  async function collectIn(workspaceId: number, found: Collected): Promise<void> {
    await doomAbandoned(dependencies, workspaceId);
    await doomExpired(dependencies, workspaceId);
    const uuid = (await db.identity.workspaces.findById(workspaceId))?.uuid;
    if (uuid === undefined) return;
    const failed: number[] = [];
    const inRow = { failures: 0 };
    for (let seen = 0; seen < mostOfWorkspace; seen += objectsAtOnce) {
      const options = { without: failed, limit: objectsAtOnce };
      const doomed = await listDoomedObjects(dependencies, workspaceId, options);
      if (doomed.length === 0) return;
      const deleted: DoomedObject[] = [];
      let away: unknown;
      try {
        await atOnce(doomed, async (object) => {
          if (await deleteBytes(objectKey(uuid, object.uuid), workspaceId, inRow)) deleted.push(object);
          else failed.push(object.id);
        });
      } catch (error) {
        away = error;
      }
      if (deleted.length > 0) {
        const { objects, bytes } = await forgetObjects(dependencies, workspaceId, deleted);
        found.objects += objects;
        found.bytes += bytes;
      }
      found.failed += doomed.filter(({ id }) => failed.includes(id)).length;
      heartbeat(workspaceId);
      if (away !== undefined) throw away;
    }
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
      if (inRow.failures >= mostFailuresInRow) throw new StorageAway(error.code);
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
