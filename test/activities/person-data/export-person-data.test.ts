import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ExportedPerson, exportActivities } from '../../../activities/person-data/export-person-data.js';
import type { Database } from '../../../db/database.js';
import { personalColumns } from '../../../db/lib/personal-data-inventory.js';
import { exportedTables } from '../../../db/person-data/exported-rows.js';
import { findPersonExport, patchPersonExport } from '../../../db/person-data/person-exports.js';
import { objectKey } from '../../../domain/files/object-store.js';
import { type Occurrence, observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { exportLimits } from '../../../domain/person-data/exports/limits.js';
import type { ExportView } from '../../../domain/person-data/exports/read-export.js';
import { requestExport } from '../../../domain/person-data/exports/request-export.js';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { StorageBusy, StorageRefused, StorageUnusable } from '../../../providers/storage/storage.js';
import { useConnection } from '../../support/db/use-database.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { attachForParticipant } from '../../support/person-data/attach-for-participant.js';
import { plantPerson } from '../../support/person-data/plant-person.js';
import { readArchive, rowsIn } from '../../support/person-data/read-archive.js';
import { readAll, store } from '../../support/storage/bytes.js';
import { addMemberRow, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
const query = useConnection(() => stage.database.superuserUrl);
const clock = new MovedClock();
const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
let storage: DiskStorage;
beforeEach(async () => {
  storage = new DiskStorage(temporaryFolder());
  await storage.check();
});

const request = (memberId: number, by?: TestMember) =>
  requestExport(stage.workspace.context(by, clock), memberId, { keptDays: 7 });
const find = (id: number) =>
  stage.database.database.inWorkspace(stage.workspace.workspaceId, (tx) => findPersonExport(tx, id));

function build(
  { id }: Pick<ExportView, 'id'>,
  { db = stage.database.database, through = storage }: { db?: Database; through?: DiskStorage } = {},
): Promise<ExportedPerson> {
  const { workspaceId, workspaceUuid } = stage.workspace;
  const { exportPersonData } = exportActivities({ db, clock, storage: through });
  return new MockActivityEnvironment().run(exportPersonData, { workspaceId, workspaceUuid, exportId: id });
}

async function archiveOf({ id }: Pick<ExportView, 'id'>): Promise<Map<string, Buffer>> {
  const { rows } = await query<{ uuid: string }>(
    'select o.uuid from person_exports e join stored_objects o on o.id = e.object_id where e.id = $1',
    [id],
  );
  return readArchive(
    await readAll(storage.get(objectKey(stage.workspace.workspaceUuid, rows[0]?.uuid ?? ''))),
  );
}

/** Gives the planted object of a person its bytes. */
async function storeBytes(id: number, content: string): Promise<void> {
  await query(
    `update stored_objects set uuid = $3, state = 'stored', sha256 = '\\x00', bytes = $2 where id = $1`,
    [id, content.length, uuidOf(id)],
  );
  await store(storage, objectKey(stage.workspace.workspaceUuid, uuidOf(id)), content);
}

const addMember = () => addMemberRow(stage.workspace, { memberRoleId: stage.workspace.roles.member.id });

describe('an archive', () => {
  const [person, other] = [
    { id: 900_001, marker: 'zqexportedx', uuid: uuidOf(900_001) },
    { id: 900_002, marker: 'zqotherx', uuid: uuidOf(900_002) },
  ];
  beforeAll(async () => {
    for (const one of [person, other]) await plantPerson(query, stage.workspace, one);
  });

  it('has a row of every table that declares a file, in that file, and nothing of another person', async () => {
    await storeBytes(person.id, 'zqexportedx, in the bytes');
    await storeBytes(other.id, 'zqotherx, in the bytes');
    const wanted = await request(person.id);
    expect(await build(wanted)).toMatchObject({ outcome: 'ready', files: 2 });
    const archive = await archiveOf(wanted);

    for (const { area, exported, model, name } of exportedTables(true)) {
      const file = archive.get(`${area}/${exported.file}.jsonl`);
      // The request for the archive is one of them.
      const planted = ['public.person_exports', 'public.audit_events'].includes(name) ? 2 : 1;
      expect({ name, rows: rowsIn(file).length }).toEqual({ name, rows: planted });
      if (personalColumns(model).length > 0)
        expect({ name, text: String(file) }).toEqual({
          name,
          text: expect.stringMatching(/zqexportedx|1931-07-23|27182\.818284/),
        });
    }
    const all = [...archive.values()].map(String).join('\n');
    expect(all).not.toContain(other.marker);
    expect(archive.get(`bytes/${person.id}-zqexportedx`)?.toString()).toBe('zqexportedx, in the bytes');
    expect(JSON.parse(String(archive.get('manifest.json')))).toMatchObject({
      memberId: person.id,
      includesInternal: true,
      bytes: { files: 2, leftOut: 0, named: [] },
    });
  });

  it('has no secrets', async () => {
    const wanted = await request(person.id);
    await build(wanted);
    const keys = [...(await archiveOf(wanted))].flatMap(([path, file]) =>
      path.endsWith('.jsonl') ? rowsIn(file).flatMap(Object.keys) : [],
    );
    expect(keys.filter((key) => /hash|secret|nonce|^token$|ciphertext|prefix/i.test(key))).toEqual([]);
  });

  it('that a member asks for itself has nothing that members do not see', async () => {
    const planted = { id: 900_003, marker: 'zqownx', uuid: uuidOf(900_003) };
    await plantPerson(query, stage.workspace, planted);
    const self = { ...stage.workspace.member, memberId: planted.id };
    const wanted = await request(planted.id, self);
    await build(wanted);

    const archive = await archiveOf(wanted);
    const tables = exportedTables(true);
    const files = (internal: boolean) =>
      tables
        .filter(({ exported }) => (exported.internal === true) === internal)
        .map(({ area, exported }) => `${area}/${exported.file}.jsonl`);
    expect([...archive.keys()].filter((path) => files(true).includes(path))).toEqual([]);
    expect([...archive.keys()]).toEqual(expect.arrayContaining(files(false)));
    for (const { area, exported } of tables) {
      const rows = rowsIn(archive.get(`${area}/${exported.file}.jsonl`));
      const hidden = (exported.hiddenColumns ?? '')
        .split(' ')
        .map((name) => name.replace(/_(\w)/g, (_, one) => one.toUpperCase()));
      expect(rows.flatMap(Object.keys).filter((key) => hidden.includes(key))).toEqual([]);
    }
  });

  it('of a member without a permission is refused', async () => {
    await expect(request(person.id, stage.workspace.member)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('files in an archive', () => {
  /** Files of one owner, by name. @returns the ids of their objects */
  async function addFiles(memberId: number, names: readonly string[]): Promise<number[]> {
    const objects: number[] = [];
    await query('set session_replication_role = replica');
    for (const [index, name] of names.entries()) {
      const { rows } = await query<{ id: number; uuid: string }>(
        `insert into stored_objects (workspace_id, bytes, mime_type, sha256, state)
         values ($1, $2, 'text/plain', '\\x00', 'stored') returning id, uuid`,
        [stage.workspace.workspaceId, `bytes ${index}`.length],
      );
      const { id = 0, uuid = '' } = rows[0] ?? {};
      const values = [stage.workspace.workspaceId, memberId, name, id];
      await query(
        `with file as (
           insert into files (workspace_id, owner_member_id, title, filename, mime_type, kind, file_size, current_version_id)
           values ($1, $2, 'File', $3, 'text/plain', 'document', 7, 0) returning id)
         insert into file_versions (workspace_id, file_id, number, object_id, filename, mime_type, kind, file_size)
         select $1, id, 1, $4, $3, 'text/plain', 'document', 7 from file`,
        values,
      );
      await store(storage, objectKey(stage.workspace.workspaceUuid, uuid), `bytes ${index}`);
      objects.push(id);
    }
    await query('set session_replication_role = origin');
    return objects;
  }

  it('have safe names below one folder, also if two have the same', async () => {
    const { id } = await addMember();
    const names = [
      'leaflet.txt',
      'leaflet.txt',
      '../../etc/passwd',
      '..\\..\\evil.bat',
      '..',
      'a:b*?.txt',
      `${'ü'.repeat(199)}.txt`,
    ];
    const objects = await addFiles(id, names);
    const wanted = await request(id);
    await build(wanted);

    const archive = await archiveOf(wanted);
    const paths = [...archive.keys()].filter((path) => path.startsWith('bytes/'));
    expect(paths).toHaveLength(names.length);
    expect(paths.map((path) => path.slice(path.indexOf('-') + 1)).slice(0, 6)).toEqual([
      'leaflet.txt',
      'leaflet.txt',
      'passwd',
      'evil.bat',
      'file',
      'a_b__.txt',
    ]);
    for (const [index, path] of paths.entries()) {
      expect(path).toMatch(/^bytes\/\d+-[^/\\]+$/);
      expect(Buffer.byteLength(path)).toBeLessThan(255);
      expect(path).toContain(`/${objects[index]}-`);
      expect(String(archive.get(path))).toBe(`bytes ${index}`);
    }
  });

  it('are not those that others sent in a chat that the member takes part in', async () => {
    const [patient, colleague] = [await addMember(), await addMember()];
    const [object] = await addFiles(patient.id, ['media-1.jpg']);
    await attachForParticipant(query, { objectId: object ?? 0, patient, colleague });

    const [ofColleague, ofPatient] = [await request(colleague.id), await request(patient.id)];
    expect(await build(ofColleague)).toMatchObject({ files: 0 });
    expect(await build(ofPatient)).toMatchObject({ files: 1 });
  });

  it('whose bytes are missing are named, and do not keep the rest', async () => {
    const { id } = await addMember();
    const [gone] = await addFiles(id, ['gone.txt', 'kept.txt']);
    const { rows } = await query<{ uuid: string }>('select uuid from stored_objects where id = $1', [gone]);
    await storage.delete(objectKey(stage.workspace.workspaceUuid, rows[0]?.uuid ?? ''));
    const wanted = await request(id);
    await build(wanted);

    expect(JSON.parse(String((await archiveOf(wanted)).get('manifest.json'))).bytes).toEqual({
      files: 1,
      leftOut: 1,
      named: [{ versionOf: `bytes/${gone}-gone.txt`, reason: 'missing' }],
    });
    expect(await find(wanted.id)).toMatchObject({ fileCount: 1, leftOutCount: 1 });
  });
});

describe('building an archive', () => {
  /** The calls that may fail, each before or after it has done its work. */
  function failing(at: number, moment: 'before' | 'after') {
    let calls = 0;
    const wrap =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        calls += 1;
        const isFailing = calls === at;
        if (isFailing && moment === 'before') throw new Error('crash before');
        const result = await work(...args);
        if (isFailing) throw new Error('crash after');
        return result;
      };
    const { database } = stage.database;
    const db = {
      inWorkspace: wrap(database.inWorkspace.bind(database)),
      readInWorkspace: wrap(database.readInWorkspace.bind(database)),
    } as unknown as Database;
    const through = {
      get: wrap(storage.get.bind(storage)),
      put: wrap(storage.put.bind(storage)),
      receive: wrap(storage.receive.bind(storage)),
    } as unknown as DiskStorage;
    return { db, through, calls: () => calls };
  }

  it.each(['before', 'after'] as const)(
    'ends with one archive, whatever call of an attempt fails %s it has done its work',
    async (moment) => {
      const { id } = await addMember();
      await query(`update stored_objects set state = 'doomed' where mime_type = 'application/zip'`);
      const whole = failing(0, moment);
      await build(await request(id), whole);
      const calls = whole.calls();
      expect(calls).toBeGreaterThan(25);
      // The calls in the middle read one table after the other.
      const places = [
        1,
        2,
        3,
        Math.floor(calls / 2),
        ...Array.from({ length: 6 }, (_, index) => calls - index),
      ];
      for (const at of places) {
        await query(`update person_exports set created_at = created_at - interval '2 days'`);
        const wanted = await request(id);
        await expect(build(wanted, failing(at, moment))).rejects.toThrow('crash');
        expect(await build(wanted)).toMatchObject({ outcome: expect.stringMatching(/ready|gone/) });
        const { rows } = await query(
          `select o.id, o.state from stored_objects o where o.mime_type = 'application/zip' and o.state <> 'doomed'`,
        );
        expect({ at, rows }).toEqual({
          at,
          rows: [{ id: (await find(wanted.id))?.objectId, state: 'stored' }],
        });
        expect((await archiveOf(wanted)).size).toBeGreaterThan(20);
      }
    },
  );

  it('leaves nothing in the spool folder', async () => {
    const { readdir } = await import('node:fs/promises');
    const { id } = await addMember();
    const wanted = await request(id);
    await expect(build(wanted, failing(12, 'before'))).rejects.toThrow('crash');
    await build(wanted);
    expect(await readdir(storage.spoolFolder)).toEqual([]);
  });

  it('by two attempts at once ends with one archive', async () => {
    const { id } = await addMember();
    const wanted = await request(id);
    const outcomes = await Promise.all([build(wanted), build(wanted)]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['gone', 'ready']);
    const { rows } = await query(
      `select o.state from stored_objects o join person_exports e on e.object_id = o.id where e.id = $1`,
      [wanted.id],
    );
    expect(rows).toEqual([{ state: 'stored' }]);
  });

  it.each([new StorageBusy('timeout'), new StorageUnusable('no_space')])(
    'waits for a storage that fails with %s',
    async (failure) => {
      const { id } = await addMember();
      const wanted = await request(id);
      const through = {
        receive: storage.receive.bind(storage),
        put: () => Promise.reject(failure),
      } as unknown as DiskStorage;
      for (let attempt = 0; attempt < exportLimits.attempts + 2; attempt += 1) {
        await expect(build(wanted, { through })).rejects.toMatchObject({
          type: expect.stringMatching(/^storage_/),
        });
      }
      expect(await build(wanted)).toMatchObject({ outcome: 'ready' });
    },
  );

  it('is given up when the storage refuses it again and again', async () => {
    const { id } = await addMember();
    const wanted = await request(id);
    const through = {
      receive: storage.receive.bind(storage),
      put: () => Promise.reject(new StorageRefused('http_400')),
    } as unknown as DiskStorage;
    for (let attempt = 0; attempt < exportLimits.attempts; attempt += 1) {
      await expect(build(wanted, { through })).rejects.toThrow(StorageRefused);
    }
    expect(await build(wanted, { through })).toMatchObject({ outcome: 'gone' });
    expect(await find(wanted.id)).toMatchObject({ failureReason: 'failed' });
  });

  it('leaves no bytes if the member is erased, and the object collected, while they are put', async () => {
    const { id } = await addMember();
    const wanted = await request(id);
    const keys: string[] = [];
    const through = {
      receive: storage.receive.bind(storage),
      delete: storage.delete.bind(storage),
      put: async (...[key, spooled]: Parameters<DiskStorage['put']>) => {
        keys.push(key);
        await eraseMember(stage.workspace.context(undefined, clock), id, { confirm: String(id) });
        await storage.delete(key);
        await query(`delete from stored_objects where state = 'doomed'`);
        await storage.put(key, spooled);
      },
    } as unknown as DiskStorage;

    expect(await build(wanted, { through })).toMatchObject({ outcome: 'gone' });
    expect(keys).toHaveLength(1);
    expect(await storage.head(keys[0] ?? '')).toBeUndefined();
  });

  it('is given up after repeated failures of its own, visibly', async () => {
    const { id } = await addMember();
    const wanted = await request(id);
    for (let attempt = 0; attempt < exportLimits.attempts; attempt += 1) {
      await expect(build(wanted, failing(6, 'before'))).rejects.toThrow('crash');
    }
    const told: Occurrence[] = [];
    onTestFinished(observeOccurrences((happening) => told.push(happening)));
    expect(await build(wanted)).toMatchObject({ outcome: 'gone' });
    expect(await build(wanted)).toMatchObject({ outcome: 'gone' });
    expect(await find(wanted.id)).toMatchObject({ failureReason: 'failed', finishedAt: expect.any(Date) });
    const { workspaceId } = stage.workspace;
    expect(told).toEqual([{ kind: 'export_failed', workspaceId, reason: 'failed' }]);
  });

  it('of an export that has ended does nothing', async () => {
    const { id } = await addMember();
    const wanted = await request(id);
    await stage.database.database.inWorkspace(stage.workspace.workspaceId, (tx) =>
      patchPersonExport(tx, wanted.id, { finishedAt: clock.now(), failureReason: 'member_erased' }),
    );
    expect(await build(wanted)).toEqual({ outcome: 'gone', rows: 0, files: 0, bytes: 0 });
  });
});
