import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll } from 'vitest';
import { importActivities } from '../../../activities/people/import-members.js';
import { selectOpenImports } from '../../../db/people/member-imports.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { DiskStorage } from '../../../providers/storage/disk-storage.js';
import type { TestDatabase } from '../db/database.js';

const everyMs = 20;

/** Carries out the imports of all workspaces, as their runs do, from the beginning of a suite to its end, unless `paused`. */
export function useImportRuns(served: () => { database: TestDatabase; storage: DiskStorage }) {
  let isOver = false;
  let running: Promise<void> | undefined;
  const runs = { paused: false, next };

  /** Has each open import settle one batch of rows. */
  async function next(): Promise<void> {
    const { database, storage } = served();
    const db = database.database;
    const { importMemberRows } = importActivities({ db, clock: systemClock, storage }, { sliceMs: 0 });
    for (const workspaceId of await db.identity.workspaces.listIds()) {
      const { uuid: workspaceUuid = '' } = (await db.identity.workspaces.findById(workspaceId)) ?? {};
      const open = await db.readInWorkspace(workspaceId, (tx) => selectOpenImports(tx, 0, 10));
      for (const { id: importId } of open) {
        await new MockActivityEnvironment().run(importMemberRows, { workspaceId, workspaceUuid, importId });
      }
    }
  }

  beforeAll(() => {
    running = (async () => {
      while (!isOver) {
        if (!runs.paused) await next();
        await delay(everyMs);
      }
    })();
  });
  afterAll(async () => {
    isOver = true;
    await running;
  });
  return runs;
}
