import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachToRecords,
  detachFromRecords,
  filesOfRecords,
  giveFilesOfRecords,
  pinFileIds,
} from '../../../db/files/file-attachments.js';
import type { Tx } from '../../../db/tx.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 200_000);
const stage = useWorkspace();
let superuser: pg.Client;
/** Ids of the first file and the first record; each record holds the file of its place. */
let first: number;

beforeAll(async () => {
  const { superuserUrl } = stage.database;
  const { workspaceId, member } = stage.workspace;
  superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  const { rows } = await superuser.query('select coalesce(max(id), 0)::int + 1 as first from files');
  first = rows[0].first;
  const tables = ['files', 'data_records', 'file_attachments'];
  // Keys of other tables are not looked up, so that few of the records need be there.
  await fillTables(superuser, tables, async () => {
    await superuser.query(
      `insert into files (id, workspace_id, title, filename, mime_type, kind, file_size, access, current_version_id)
       overriding system value
       select $2::bigint + i, $1, 'Scan', 'scan.pdf', 'application/pdf', 'document', 1, 'private', 1
       from generate_series(0, $3::bigint - 1) i`,
      [workspaceId, first, total],
    );
    await superuser.query(
      `insert into data_records (id, workspace_id, uuid, data_type_id, member_id, is_single, field_values)
       overriding system value
       select $2::bigint + i * 7, $1, gen_random_uuid(), 1, $3, false, '{}' from generate_series(0, 1000) i`,
      [workspaceId, first, member.memberId],
    );
    await superuser.query(
      `insert into file_attachments (workspace_id, file_id, record_id, member_id)
       select $1, $2::bigint + i, $2::bigint + i, $4 from generate_series(0, $3::bigint - 1) i`,
      [workspaceId, first, total, member.memberId],
    );
  });
}, 300_000);
afterAll(() => superuser.end());

const placesOf = (count: number) => Array.from({ length: count }, (_, at) => first + at * 7);
const colleague = () => ({ memberId: stage.workspace.admin.memberId, readsWorkspace: true, readsAll: false });
const theirs = () => ({ memberId: stage.workspace.member.memberId, readsWorkspace: true, readsAll: false });
const all = () => ({ memberId: stage.workspace.admin.memberId, readsWorkspace: true, readsAll: true });

async function explain(work: (tx: Tx) => Promise<unknown>) {
  const { workspaceId } = stage.workspace;
  const plans = await explaining(
    stage.database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, work),
    /\bfile(s|_attachments)\b/,
  );
  return { rows: Math.max(...plans.map(({ rows }) => rows)), scans: plans.flatMap(({ scans }) => scans) };
}

describe.each(['never analysed', 'analysed'])('files of many records, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze files, file_attachments');
  }, 300_000);

  it.each([
    ['one record', 1],
    ['a page', 100],
  ])('are read by the index of records, for %s', { timeout: 300_000 }, async (_name, count) => {
    for (const reader of [all(), theirs(), colleague()]) {
      const { rows, scans } = await explain((tx) => filesOfRecords(tx, placesOf(count), reader));
      expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
      expect(rows).toBeLessThanOrEqual(10 * count);
    }
  });

  it.each([1, 1_000])(
    'are written for %i records without a look at others',
    { timeout: 300_000 },
    async (count) => {
      const places = placesOf(count).map((id) => ({ recordId: id, fileId: id, memberId: null }));
      const readers = places.map(({ recordId }) => ({ recordId, memberId: stage.workspace.admin.memberId }));
      for (const work of [
        (tx: Tx) => pinFileIds(tx, placesOf(count), theirs()),
        (tx: Tx) => detachFromRecords(tx, places),
        (tx: Tx) => giveFilesOfRecords(tx, readers, colleague()),
      ]) {
        const { rows, scans } = await explain(work);
        expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
        expect(rows).toBeLessThanOrEqual(10 * count);
      }
    },
  );
});

it('fill an answer up to a thousand files, those of the first records first', async () => {
  const { database, workspaceId } = stage.workspace;
  const ids = placesOf(1_001).reverse();
  const found = await database.inWorkspace(workspaceId, (tx) => filesOfRecords(tx, ids, all()));
  expect([...found.files.keys()]).toEqual(ids.slice(0, 1_000));
  expect(found.cutAt).toBe(ids[1_000]);
  const whole = await database.inWorkspace(workspaceId, (tx) => filesOfRecords(tx, ids.slice(1), all()));
  expect([whole.files.size, whole.cutAt]).toEqual([1_000, undefined]);
});

it('are not attached to records that do not exist', async () => {
  const { database, workspaceId } = stage.workspace;
  const missing = [{ recordId: 2 ** 50, fileId: first, memberId: null }];
  const attaching = database.inWorkspace(workspaceId, (tx) => attachToRecords(tx, missing, null));
  await expect(attaching).rejects.toMatchObject({ code: '23503' });
});
