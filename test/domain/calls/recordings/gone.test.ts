import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { exportActivities } from '../../../../activities/person-data/export-person-data.js';
import type { OldChat } from '../../../../db/conversations/forget-chats.js';
import { forgetOldRecordings } from '../../../../domain/calls/recordings/forget-old-recordings.js';
import { wavHeader } from '../../../../domain/calls/recordings/wav.js';
import { forgetOldChats } from '../../../../domain/conversations/retention/forget-old-chats.js';
import { objectKey } from '../../../../domain/files/object-store.js';
import { systemClock } from '../../../../domain/lib/clock.js';
import { eraseTable } from '../../../../domain/person-data/erase-table.js';
import { requestExport } from '../../../../domain/person-data/exports/request-export.js';
import { type RecordedCall, recordedCall } from '../../../support/calls/recorded-call.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { allDeleted } from '../../../support/lib/all-batches.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { readArchive } from '../../../support/person-data/read-archive.js';
import { readAll } from '../../../support/storage/bytes.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const database = useDatabase();
const { storage, remove } = scratchStorage();
afterAll(remove);
const bytes = Buffer.alloc(400, 7);

async function recorded(): Promise<{ place: TestWorkspace; call: RecordedCall }> {
  const place = await createWorkspace(database.database);
  const call = await recordedCall(place, storage, [
    { startFrame: 0, bytes },
    { startFrame: 300, bytes },
  ]);
  return { place, call };
}

/** What is left of recordings: rows, and the states of their objects. */
async function left({ database: db, workspaceId }: TestWorkspace) {
  return db.readInWorkspace(workspaceId, async (tx) => ({
    recordings: (await tx('call_recordings').select('id')).length,
    segments: (await tx('call_recording_segments').select('id')).length,
    objects: (await tx('stored_objects').select('state').orderBy('id')).map(({ state }) => state),
    calls: (await tx('phone_calls').select('id')).length,
  }));
}

const kept = { recordings: 1, segments: 2, objects: ['stored', 'stored'], calls: 1 };
const gone = { recordings: 0, segments: 0, objects: ['doomed', 'doomed'], calls: 1 };

describe('a recording is deleted with its bytes', () => {
  it('when it is as old as the workspace keeps recordings, and its call is over', async () => {
    const { place, call } = await recorded();
    const clock = new MovedClock();
    const forget = ({ workspaceId } = place) =>
      allDeleted(() => forgetOldRecordings({ db: database.database, clock }, workspaceId, 30));
    clock.advance(days(29));
    await call.finish();
    expect([await forget(), await left(place)]).toEqual([0, kept]);
    clock.advance(days(2));
    const { place: other } = await recorded();
    expect([await forget(), await left(place)]).toEqual([1, gone]);
    expect(await left(other)).toEqual(kept);
    expect(await forget(other)).toBe(0);
    expect(await forget()).toBe(0);
  });

  it('when its chat is emptied', async () => {
    const { place, call } = await recorded();
    await call.finish();
    const clock = new MovedClock();
    clock.advance(days(31));
    const forget = (after?: OldChat) =>
      forgetOldChats({ db: database.database, clock }, place.workspaceId, 30, after);
    expect(await allDeleted(forget)).toBe(1);
    expect(await left(place)).toEqual(gone);
  });

  it('when its member is erased', async () => {
    const { place } = await recorded();
    const { workspaceId } = place;
    const erase = (memberId: number) =>
      place.database.inWorkspace(workspaceId, (tx) =>
        eraseTable(tx, 'public.call_recordings', { workspaceId, memberId, accountId: null }),
      );
    await erase(place.admin.memberId);
    expect(await left(place)).toEqual(kept);
    await erase(place.member.memberId);
    expect(await left(place)).toEqual(gone);
  });
});

it('is in the archive of its member as a file', async () => {
  const { place, call } = await recorded();
  const { workspaceId, workspaceUuid } = place;
  const { id } = await requestExport(place.context(), place.member.memberId, { keptDays: 7 });
  const { exportPersonData } = exportActivities({ db: database.database, clock: systemClock, storage });
  const input = { workspaceId, workspaceUuid, exportId: id };
  expect(await new MockActivityEnvironment().run(exportPersonData, input)).toMatchObject({
    outcome: 'ready',
    files: 1,
  });
  const [object] = await place.database.readInWorkspace(workspaceId, (tx) =>
    tx('person_exports as e').join('stored_objects as o', 'o.id', 'e.object_id').select('o.uuid'),
  );
  const archive = await readArchive(await readAll(storage.get(objectKey(workspaceUuid, object?.uuid))));
  const silence = Buffer.alloc(200, 0xff);
  expect(archive.get(`recordings/${call.callId}.wav`)).toEqual(
    Buffer.concat([wavHeader(500), bytes, silence, bytes]),
  );
});
