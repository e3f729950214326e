import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findRecordingOfCall, selectRecordingSegments } from '../../../db/calls/call-recordings.js';
import { countUsedBytes } from '../../../db/files/stored-objects.js';
import { type AdmittedStream, admitStream } from '../../../domain/calls/bridges/admit-stream.js';
import { objectKey } from '../../../domain/files/object-store.js';
import { systemClock } from '../../../domain/lib/clock.js';
import {
  SegmentKeeper,
  type SegmentKeeperOptions,
  type StreamPlace,
} from '../../../media/recorder/segment-keeper.js';
import type { Segment } from '../../../media/recorder/tape.js';
import { StorageBusy, StorageOutcomeUnknown } from '../../../providers/storage/storage.js';
import { answeredCall, tokens } from '../../support/calls/answered-call.js';
import { useDatabase } from '../../support/db/use-database.js';
import { collectGarbage } from '../../support/lib/collect-garbage.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { readAll } from '../../support/storage/bytes.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { createWorkspace } from '../../support/workspace/factories.js';

const database = useDatabase();

const segment = (number: number, value: number, frames = 100): Segment => ({
  number,
  start: (number - 1) * 100,
  frames,
  bytes: Buffer.alloc(2 * frames, value),
});

async function recorded(options: Partial<SegmentKeeperOptions> = {}) {
  const workspace = await createWorkspace(database.database);
  const { workspaceId, workspaceUuid } = workspace;
  const context = { db: workspace.database, clock: systemClock };
  const call = await answeredCall(workspace);
  const { recording, attempt } = (await admitStream(context, call.start(), {
    tokens,
    processId: randomUUID(),
    callsPerWorkspace: 10,
  })) as AdmittedStream;
  if (recording === undefined) throw new Error('nothing is recorded');
  const { storage, remove } = scratchStorage();
  const told = { lost: [] as string[], stored: 0 };
  const keeper = new SegmentKeeper({
    context,
    storage,
    onLost: (_, code) => void told.lost.push(code),
    onStored: () => {
      told.stored += 1;
    },
    delaysMs: [1, 1],
    ...options,
  });
  const place: StreamPlace = {
    workspaceId,
    workspaceUuid,
    recordingId: recording.id,
    attempt,
    startFrame: 50,
  };
  const read = <T>(work: Parameters<typeof database.database.readInWorkspace<T>>[1]) =>
    database.database.readInWorkspace(workspaceId, work);
  return {
    call,
    keeper,
    place,
    storage,
    remove,
    told,
    segments: () => read((tx) => selectRecordingSegments(tx, recording.id)),
    objects: () => read((tx) => tx('stored_objects').select('uuid', 'state', 'bytes').orderBy('id')),
    usedBytes: () => read(countUsedBytes),
    forget: () =>
      database.database.inWorkspace(workspaceId, (tx) => tx('call_recordings').delete()) as Promise<unknown>,
    recordingOf: () => read((tx) => findRecordingOfCall(tx, call.callId)),
    context,
  };
}

it('stores a segment with its bytes and its place, once', async () => {
  const { keeper, place, segments, storage, usedBytes, told, objects, remove } = await recorded();
  await keeper.keep(place, segment(1, 7));
  await keeper.keep(place, segment(1, 7));
  await keeper.keep(place, segment(2, 8, 30));
  const found = await segments();
  expect(found).toMatchObject([
    { startFrame: 50, frames: 100 },
    { startFrame: 150, frames: 30 },
  ]);
  for (const [index, { objectUuid }] of found.entries()) {
    const bytes = await readAll(storage.get(objectKey(place.workspaceUuid, objectUuid)));
    expect(bytes).toEqual(segment(index + 1, 7 + index, [100, 30][index]).bytes);
  }
  expect((await objects()).map(({ state }) => state)).toEqual(['stored', 'doomed', 'stored']);
  expect(await usedBytes()).toBe(460);
  expect(told).toEqual({ lost: [], stored: 3 });
  remove();
});

describe('repeats', () => {
  it.each([
    ['busy', () => new StorageBusy('503')],
    ['unsure', () => new StorageOutcomeUnknown('timeout')],
  ])('what a %s storage has not done', async (_, failure) => {
    let failures = 2;
    const { storage, remove } = scratchStorage();
    const { keeper, place, segments, objects, told } = await recorded({
      storage: {
        receive: (source, limit) => storage.receive(source, limit),
        async put(key, spooled) {
          failures -= 1;
          if (failures >= 0) throw failure();
          await storage.put(key, spooled);
        },
      },
    });
    await keeper.keep(place, segment(1, 7));
    expect(await segments()).toHaveLength(1);
    expect(await objects()).toHaveLength(1);
    expect(told).toEqual({ lost: [], stored: 1 });
    remove();
  });

  it('nothing that is done, when an answer of the database is lost', async () => {
    let calls = 0;
    const { storage, remove } = scratchStorage();
    const place = await recorded();
    const answered = async <T>(answer: Promise<T>): Promise<T> => {
      const result = await answer;
      calls += 1;
      // What keeps the segment is committed.
      if (calls === 2) throw new Error('the connection is lost');
      return result;
    };
    const { database: real } = database;
    const db = {
      inOneStatement: (...args: Parameters<typeof real.inOneStatement>) =>
        answered(real.inOneStatement(...args)),
      inWorkspace: (...args: Parameters<typeof real.inWorkspace>) => answered(real.inWorkspace(...args)),
    } as typeof real;
    const lost: string[] = [];
    const keeper = new SegmentKeeper({
      context: { db, clock: systemClock },
      storage,
      onLost: (_, code) => void lost.push(code),
      onStored: () => {},
      delaysMs: [1],
    });
    await keeper.keep(place.place, segment(1, 7));
    expect(await place.segments()).toHaveLength(1);
    expect((await place.objects()).map(({ state }) => state)).toEqual(['stored']);
    // Reserved, kept, found kept: by the statement that keeps, and by the transaction that looks why.
    expect({ lost, calls }).toEqual({ lost: [], calls: 4 });
    remove();
  });
});

it('gives up in the end, and tells', async () => {
  const { keeper, place, segments, told } = await recorded({
    storage: {
      async receive() {
        throw new StorageBusy('ENOSPC');
      },
      async put() {},
    },
  });
  await keeper.keep(place, segment(1, 7));
  expect(await segments()).toEqual([]);
  expect(told).toEqual({ lost: ['ENOSPC'], stored: 0 });
  expect(keeper.size).toBe(0);
});

it('holds no more in memory than it may, and no segments that are spooled', async () => {
  const { keeper, place, told } = await recorded({
    storage: {
      async receive() {
        throw new StorageBusy('ENOSPC');
      },
      async put() {},
    },
    delaysMs: [600_000],
    maxInMemory: 1_000,
  });
  const large = { ...segment(1, 7), bytes: Buffer.alloc(501) };
  const first = keeper.keep(place, large);
  await keeper.keep(place, { ...large, number: 2 });
  expect(told.lost).toEqual(['too_many_waiting']);
  await keeper.end();
  await first;
  expect(told.lost).toEqual(['too_many_waiting', 'ENOSPC']);
  await keeper.keep(place, large);
  expect(told.lost).toEqual(['too_many_waiting', 'ENOSPC', 'ENOSPC']);
});

it('holds no segment in memory because the storage does not answer', async () => {
  const { storage, remove } = scratchStorage();
  let spooled = 0;
  let answer: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { keeper, place, told, segments } = await recorded({
    maxInMemory: 1_000,
    storage: {
      async receive(...given) {
        const received = await storage.receive(...given);
        spooled += 1;
        return received;
      },
      async put(key, spooled) {
        await answered;
        await storage.put(key, spooled);
      },
    },
  });
  const keeping: Promise<void>[] = [];
  for (let number = 1; number <= 12; number += 1) {
    keeping.push(keeper.keep(place, segment(number, number)));
    await waitFor('the segment is spooled', () => spooled === number);
  }
  expect(told).toEqual({ lost: [], stored: 0 });
  answer?.();
  await Promise.all(keeping);
  expect(told).toEqual({ lost: [], stored: 12 });
  expect(await segments()).toHaveLength(12);
  remove();
});

it('refers to no bytes of a segment that waits in the spool folder, and releases them', async () => {
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { storage, remove } = scratchStorage();
  const { keeper, place, told } = await recorded({
    storage: { receive: (...given) => storage.receive(...given), put: () => answered },
  });
  const buffers: WeakRef<Buffer>[] = [];
  const released: boolean[] = [];
  // In a function of its own: the frame of the test would refer to the last segment.
  const keepOne = (number: number): void => {
    const given = segment(number, number);
    const buffer = new WeakRef(given.bytes);
    buffers.push(buffer);
    void keeper.keep(place, given, (bytes) => void released.push(bytes === buffer.deref()));
  };
  for (const number of [1, 2, 3]) keepOne(number);
  await waitFor('the segments are spooled', () => released.length === 3);
  await waitFor('their bytes are collected', () => {
    collectGarbage();
    return buffers.every((buffer) => buffer.deref() === undefined);
  });
  expect({ released, told, size: keeper.size }).toEqual({
    released: [true, true, true],
    told: { lost: [], stored: 0 },
    size: 3,
  });
  answer();
  await keeper.end();
  expect(told).toEqual({ lost: [], stored: 3 });
  remove();
});

it('leaves nothing of a recording that was deleted meanwhile', async () => {
  const { keeper, place, segments, objects, told, forget, recordingOf, remove } = await recorded();
  await keeper.keep(place, segment(1, 7));
  await forget();
  await keeper.keep(place, segment(2, 8));
  expect(await segments()).toEqual([]);
  expect(await recordingOf()).toBeUndefined();
  expect((await objects()).map(({ state }) => state)).toEqual(['doomed', 'doomed']);
  expect(told.lost).toEqual([]);
  remove();
});
