import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { collectorActivities } from '../../../activities/files/collect-objects.js';
import { beforeDoomed } from '../../../db/files/collectable-objects.js';
import { doomAbandoned, doomExpired, listDoomedObjects } from '../../../domain/files/collect-objects.js';
import { objectKey } from '../../../domain/files/object-store.js';

import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { StorageBusy, StorageUnusable } from '../../../providers/storage/storage.js';
import { explaining } from '../../support/db/explained.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { store } from '../../support/storage/bytes.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const clock = new MovedClock();
const logger = pino({ level: 'silent' });
let storage: DiskStorage;
let workspace: TestWorkspace;

beforeEach(async () => {
  storage = new DiskStorage(temporaryFolder());
  await storage.check();
  workspace = await createWorkspace(suite.database.database);
});

type State = 'pending' | 'stored' | 'doomed';

interface AddedObject {
  hasBytes?: boolean;
  of?: TestWorkspace;
  expiresInMs?: number;
}

/** A row of ten bytes, whose bytes are in the storage unless told. */
async function addObject(
  state: State,
  ageMs: number,
  { hasBytes = true, of = workspace, expiresInMs }: AddedObject = {},
): Promise<string> {
  const { uuid } = await of.database.inWorkspace(of.workspaceId, async (tx) => {
    await tx.raw(
      `insert into storage_usage (workspace_id, bytes) values (?, 10)
       on conflict (workspace_id) do update set bytes = storage_usage.bytes + 10`,
      [of.workspaceId],
    );
    const [row] = await tx('stored_objects').insert(
      {
        workspace_id: of.workspaceId,
        bytes: 10,
        mime_type: 'text/plain',
        sha256: Buffer.alloc(32),
        state,
        state_since: new Date(clock.now().getTime() - ageMs),
        expires_at: expiresInMs === undefined ? null : new Date(clock.now().getTime() + expiresInMs),
      },
      ['uuid'],
    );
    return row;
  });
  const key = objectKey(of.workspaceUuid, uuid);
  if (hasBytes) await store(storage, key, '0123456789');
  return key;
}

const rows = (of = workspace): Promise<string[]> =>
  of.database.inWorkspace(of.workspaceId, async (tx) => {
    const uuids: string[] = await tx('stored_objects')
      .where({ workspace_id: of.workspaceId })
      .orderBy('id')
      .pluck('uuid');
    return uuids.map((uuid) => objectKey(of.workspaceUuid, uuid));
  });

const usedBytes = (of = workspace): Promise<number> =>
  of.database.inWorkspace(of.workspaceId, async (tx) =>
    Number((await tx('storage_usage').where({ workspace_id: of.workspaceId }).first('bytes')).bytes),
  );

function collect(through: Pick<DiskStorage, 'delete'> = storage) {
  const dependencies = { db: suite.database.database, clock, logger, storage: through as DiskStorage };
  return new MockActivityEnvironment().run(collectorActivities(dependencies).collectObjects);
}

/** The storage, which fails for some keys. */
function failingFor(fails: (key: string) => Error | undefined): Pick<DiskStorage, 'delete'> {
  return {
    async delete(key) {
      const failure = fails(key);
      if (failure !== undefined) throw failure;
      await storage.delete(key);
    },
  };
}

describe('collectObjects', () => {
  it('deletes what is doomed and what is pending for a day, and gives the bytes back', async () => {
    const kept = [await addObject('stored', hours(100)), await addObject('pending', hours(23))];
    const gone = [await addObject('doomed', 0), await addObject('pending', hours(25))];
    expect(await collect()).toEqual({ objects: 2, bytes: 20, failed: 0, finished: true });
    expect(await rows()).toEqual(kept);
    expect(await usedBytes()).toBe(20);
    for (const key of kept) expect(await storage.head(key)).toEqual({ bytes: 10 });
    for (const key of gone) expect(await storage.head(key)).toBeUndefined();
    expect(await collect()).toEqual({ objects: 0, bytes: 0, failed: 0, finished: true });
  });

  it('deletes what has expired, and nothing before that', async () => {
    const [kept, expired] = [
      await addObject('stored', hours(100), { expiresInMs: hours(1) }),
      await addObject('stored', hours(100), { expiresInMs: -1 }),
    ];
    expect(await collect()).toEqual({ objects: 1, bytes: 10, failed: 0, finished: true });
    expect(await rows()).toEqual([kept]);
    expect(await storage.head(expired)).toBeUndefined();
    clock.advance(hours(1));
    expect(await collect()).toMatchObject({ objects: 1 });
    expect(await rows()).toEqual([]);
  });

  it('removes the row of an upload that crashed before its bytes were stored', async () => {
    await addObject('pending', hours(25), { hasBytes: false });
    expect(await collect()).toMatchObject({ objects: 1, failed: 0 });
    expect(await rows()).toEqual([]);
    expect(await usedBytes()).toBe(0);
  });

  it('removes the row whose bytes an earlier pass deleted before it crashed', async () => {
    const key = await addObject('doomed', hours(1));
    await storage.delete(key);
    expect(await collect()).toMatchObject({ objects: 1, failed: 0 });
    expect(await rows()).toEqual([]);
  });

  it('goes on behind an object whose bytes cannot be deleted, and tries it again in the next pass', async () => {
    const stuck = await addObject('doomed', hours(9));
    for (let more = 0; more < 150; more += 1) await addObject('doomed', hours(1), { hasBytes: false });
    const broken = failingFor((key) => (key === stuck ? new StorageBusy('500') : undefined));
    expect(await collect(broken)).toEqual({ objects: 150, bytes: 1_500, failed: 1, finished: true });
    expect(await rows()).toEqual([stuck]);
    expect(await collect()).toMatchObject({ objects: 1, failed: 0 });
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['its credential is wrong', () => new StorageUnusable('SignatureDoesNotMatch')],
    ['it is away', () => new StorageBusy('ECONNREFUSED')],
  ])('waits with everything while %s', async (_, failure) => {
    for (let more = 0; more < 60; more += 1) await addObject('doomed', hours(1), { hasBytes: false });
    let asked = 0;
    const away = failingFor(() => {
      asked += 1;
      return failure();
    });
    expect(await collect(away)).toMatchObject({ objects: 0, finished: false });
    expect(asked).toBeLessThan(40);
    expect(await rows()).toHaveLength(60);
    clock.advance(hours(24));
    expect(await collect()).toMatchObject({ failed: 0, finished: true });
    expect(await rows()).toEqual([]);
  });

  it('continues with other workspaces when one cannot be read', async () => {
    await collect();
    await addObject('doomed', hours(1));
    const other = await createWorkspace(suite.database.database);
    await addObject('doomed', hours(1), { of: other });
    const first = failingFor((key) =>
      key.startsWith(workspace.workspaceUuid) ? new TypeError('a fault') : undefined,
    );
    expect(await collect(first)).toMatchObject({ objects: 1, failed: 1, finished: true });
    expect([await rows(), await rows(other)]).toEqual([[expect.any(String)], []]);
    await collect();
  });

  it('finds its few rows among very many by the index', async () => {
    await workspace.within((tx) =>
      tx.raw(
        `insert into stored_objects (workspace_id, bytes, mime_type, sha256, state)
         select ?, 0, 'text/plain', '', 'stored' from generate_series(1, 30000)`,
        [workspace.workspaceId],
      ),
    );
    await addObject('doomed', hours(1));
    await addObject('pending', hours(25));
    const explained = await explaining(
      suite.database.appUrl,
      workspace.workspaceId,
      async (db) => {
        await listDoomedObjects({ db, clock }, workspace.workspaceId, { after: beforeDoomed, limit: 100 });
        await doomExpired({ db, clock }, workspace.workspaceId);
      },
      /stored_objects/,
    );
    const scans = explained.flatMap((plan) => plan.scans);
    expect(scans).toContain('Index Scan stored_objects_to_collect');
    expect(scans).toContain('Index Scan stored_objects_to_expire');
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
  });
});

it('an upload that was given up cannot be stored any more', async () => {
  await addObject('pending', hours(25));
  await doomAbandoned({ db: suite.database.database, clock }, workspace.workspaceId);
  const stored = await workspace.within((tx) =>
    tx('stored_objects')
      .where({ workspace_id: workspace.workspaceId, state: 'pending' })
      .update({ state: 'stored' }),
  );
  expect(stored).toBe(0);
});
