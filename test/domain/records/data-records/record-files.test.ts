import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockFile, removeFiles } from '../../../../db/files/files.js';
import type { FileReader } from '../../../../db/files/readable-files.js';
import { lockDataRecord } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import { findMissing } from '../../../../domain/records/data-records/writing/check-references.js';
import {
  type RecordToSave,
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../../../../domain/records/data-records/writing/write-records.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { type AddFile, addFile } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { optionsOf, useWriting } from './use-writing.js';

const { workspace, members, newType, writing } = useWriting([
  { slug: 'reason', name: 'Reason', fieldType: 'text' },
  { slug: 'scan', name: 'Scan', fieldType: 'file', shouldIndex: true },
  { slug: 'photos', name: 'Photos', fieldType: 'files', shouldIndex: true },
]);
const store = createMemoryStore();
afterAll(() => store.close());
let type: DataTypeRow;
/** A colleague who reads every file. */
let giver: FileReader;
beforeAll(() => {
  giver = { memberId: workspace.admin.memberId, readsWorkspace: true, readsAll: true };
});
beforeEach(async () => {
  type = await newType(true);
});

const add = async (file: AddFile = {}): Promise<number> => (await addFile(workspace, store, file)).id;
const item = (fieldValues: RecordToSave['fieldValues'], more: Partial<RecordToSave> = {}): RecordToSave => ({
  memberId: members.memberId,
  externalId: 'visit',
  fieldValues,
  ...more,
});
const save = (items: RecordToSave[], more: Partial<WriteOptions> = {}) =>
  writing(type, (tx) => writeIn(tx, items, more));
const writeIn = (tx: Tx, items: RecordToSave[], more: Partial<WriteOptions> = {}) => {
  const terms = { actorMemberId: giver.memberId, fileGiver: giver, followsExternalIds: true };
  return writeRecords(tx, optionsOf({ ...terms, ...more }), type, items);
};
const reasons = (saved: SavedRecord[]) =>
  saved.map((one) => (one.status === 'failed' ? one.errors : one.status));
/** What is attached to the records of the type. */
const held = () =>
  workspace.within(async (tx) => {
    const ofType = tx('data_records').where({ data_type_id: type.id }).select('id');
    const rows = await tx('file_attachments').whereIn('record_id', ofType).orderBy('file_id');
    return rows.map(({ file_id, member_id }) => [file_id, member_id]);
  });
const refusal = (field: 'scan' | 'photos') => [
  {
    pointer: `/fieldValues/${field}`,
    message: expect.stringContaining('names no file that the caller may read'),
  },
];

describe('files that records hold', () => {
  it('are attached to the record, for its member', async () => {
    const [scan, photo] = [await add(), await add()];

    const [saved] = await save([item({ scan, photos: [photo, scan] })]);

    expect(await held()).toEqual([
      [scan, members.memberId],
      [photo, members.memberId],
    ]);
    const id = saved?.status === 'created' ? saved.record.id : 0;
    const rows = await workspace.within((tx) => tx('file_attachments').where({ record_id: id }));
    expect(rows).toMatchObject([{ attached_by_member_id: giver.memberId, chat_id: null }, {}]);
  });

  it('are attached and detached as the values change, and stay attached meanwhile', async () => {
    const [one, two, three] = [await add(), await add(), await add()];
    await save([item({ scan: one, photos: [two] })]);
    const idOf = (fileId: number) =>
      workspace.within(async (tx) => (await tx('file_attachments').where({ file_id: fileId }).first())?.id);
    const before = await idOf(one);

    await save([item({ photos: [three, one] })]);
    expect((await held()).map(([fileId]) => fileId)).toEqual([one, three]);
    expect(await idOf(one)).toBe(before);

    await save([item({ scan: null, photos: [] })]);
    expect(await held()).toEqual([]);
  });

  it('are attached anew where a process of an earlier release has left an attachment', async () => {
    const scan = await add();
    await save([item({ scan })]);
    await workspace.within((tx) =>
      tx('data_records')
        .where({ data_type_id: type.id })
        .update({ field_values: JSON.stringify({}) }),
    );

    expect(reasons(await save([item({ scan }, { memberId: workspace.member.memberId })]))).toEqual([
      'updated',
    ]);
    expect(await held()).toEqual([[scan, workspace.member.memberId]]);
  });

  it('are not looked up, and so not locked, where a field has too many', async () => {
    const photos = Array.from({ length: 21 }, (_, at) => at + 1);
    const found = await workspace.within((tx) => findMissing(tx, type, [{ photos }], giver));
    expect(found.fileIds.size).toBe(0);
    expect(reasons(await save([item({ photos })]))).toEqual([
      [{ pointer: '/fieldValues/photos', message: expect.stringContaining('more than 20 files') }],
    ]);
  });

  it('are those that a batch leaves behind, of several items for one record', async () => {
    const [one, two] = [await add(), await add()];
    await save([item({ scan: one }), item({ scan: two }), item({ reason: 'Cough' })]);
    expect(await held()).toEqual([[two, members.memberId]]);
  });

  it('cost a batch as few statements as one record', async () => {
    const fileIds = [await add(), await add()];
    const items = (reason: string, photos: number[]) =>
      Array.from({ length: 40 }, (_, at) => item({ reason, photos }, { externalId: `visit-${at}` }));
    const about = (texts: string[]) => texts.filter((text) => /\bfile(s|_attachments)\b/.test(text));

    expect(about(await statementsOf(() => save(items('A', fileIds))))).toHaveLength(2);
    expect(about(await statementsOf(() => save(items('B', fileIds.slice(1)))))).toHaveLength(2);
    expect(about(await statementsOf(() => save(items('C', fileIds.slice(1)))))).toHaveLength(1);
    expect(await held()).toHaveLength(40);
  });

  it('are at most 50 in a record', async () => {
    const ids = await workspace.within(async (tx) => {
      const { rows } = await tx.raw(
        `insert into files (workspace_id, title, filename, mime_type, kind, file_size, current_version_id)
         overriding system value
         select workspace_id, title, filename, mime_type, kind, file_size, current_version_id
         from files cross join generate_series(1, 51) where id = ? returning id`,
        [await add()],
      );
      return rows.map(({ id }: { id: number }) => Number(id));
    });
    const slugs = ['a', 'b', 'c'];
    const fields = slugs.map((slug) => ({ slug, name: slug, fieldType: 'files' }));
    const wide = { ...type, fields };
    const values = (count: number) =>
      Object.fromEntries(slugs.map((slug, at) => [slug, ids.slice(at * 20, Math.min(count, (at + 1) * 20))]));

    const saved = await writing(type, (tx) =>
      writeRecords(tx, optionsOf({ fileGiver: giver }), wide, [
        item(values(51), { externalId: 'a' }),
        item(values(50), { externalId: 'b' }),
      ]),
    );

    expect(reasons(saved)).toEqual([
      [{ pointer: '/fieldValues', message: 'A record holds at most 50 files.' }],
      'created',
    ]);
    expect(await held()).toHaveLength(50);
  });
});

describe('files that may not be put into records', () => {
  const colleague = () => ({ memberId: members.otherId, readsWorkspace: true, readsAll: false });

  it('are those that do not exist, are of another workspace or may not be read, with one answer', async () => {
    const elsewhere = await createWorkspace(workspace.database);
    const foreign = (await addFile(elsewhere, store)).id;
    const secret = await add();
    const gone = await add();
    await workspace.within((tx) => removeFiles(tx, [gone]));

    for (const id of [foreign, secret, gone, 2 ** 53 - 1]) {
      for (const [field, value] of [
        ['scan', id],
        ['photos', [id]],
      ] as const) {
        const saved = await save([item({ [field]: value })], { fileGiver: colleague() });
        expect(reasons(saved)).toEqual([refusal(field)]);
      }
    }
    expect(await held()).toEqual([]);
  });

  it('do not stop the other items of a batch', async () => {
    const shown = await add({ access: 'workspace' });
    const secret = await add();
    const saved = await save(
      [item({ scan: shown }, { externalId: 'a' }), item({ photos: [shown, secret] }, { externalId: 'b' })],
      { fileGiver: colleague() },
    );
    expect(reasons(saved)).toEqual(['created', refusal('photos')]);
    expect(await held()).toEqual([[shown, members.memberId]]);
  });

  it('are none, with a credential that reads no files', async () => {
    const scan = await add({ access: 'public' });
    const saved = await save([item({ scan })], { fileGiver: null });
    expect(reasons(saved)).toEqual([
      [{ pointer: '/fieldValues/scan', message: expect.stringContaining('the scope files:read') }],
    ]);
  });

  it('may be sent back where the record has them, and only there', async () => {
    const [secret, other] = [await add(), await add()];
    await save([item({ scan: secret, photos: [other] })]);
    const terms = { fileGiver: colleague() };

    const values = { reason: 'Cough', scan: secret, photos: [other] };
    expect(reasons(await save([item(values)], terms))).toEqual(['updated']);
    expect(reasons(await save([item({ scan: other })], terms))).toEqual([refusal('scan')]);
    expect(reasons(await save([item({ photos: [other, secret] })], terms))).toEqual([refusal('photos')]);
    expect(await held()).toEqual([
      [secret, members.memberId],
      [other, members.memberId],
    ]);
  });
});

describe('who reads a file because a record holds it', () => {
  const own = () => ({ memberId: members.memberId, readsWorkspace: true, readsAll: false });

  it('is no member that puts it into its own record, who would keep what it may lose', async () => {
    const scan = await add({ access: 'workspace' });
    await save([item({ scan })], { fileGiver: own() });
    expect(await held()).toEqual([[scan, null]]);
  });

  it('is not the member of a hidden record, until it is shown by a caller that reads the file', async () => {
    const [scan, photo] = [await add(), await add({ access: 'workspace' })];
    await save([item({ scan, photos: [photo] }, { accessMode: 2 })]);
    expect(await held()).toEqual([
      [scan, null],
      [photo, null],
    ]);

    const mayRead = { memberId: members.otherId, readsWorkspace: true, readsAll: false };
    await save([item({}, { accessMode: 1 })], { fileGiver: mayRead });
    expect(await held()).toEqual([
      [scan, null],
      [photo, members.memberId],
    ]);

    await save([item({}, { accessMode: 2 })]);
    await save([item({}, { accessMode: 0 })]);
    expect(await held()).toEqual([
      [scan, members.memberId],
      [photo, members.memberId],
    ]);
    await save([item({}, { accessMode: 3 })], { fileGiver: null });
    expect(await held()).toEqual([
      [scan, members.memberId],
      [photo, members.memberId],
    ]);
  });

  it('changes with the member of the record, as far as the caller reads the file', async () => {
    const [secret, shown] = [await add(), await add({ access: 'workspace' })];
    await save([item({ scan: secret, photos: [shown] })]);
    const moved = (memberId: number, fileGiver: WriteOptions['fileGiver']) =>
      save([item({}, { memberId })], { fileGiver });

    await moved(members.otherId, giver);
    expect(await held()).toEqual([
      [secret, members.otherId],
      [shown, members.otherId],
    ]);
    await moved(members.memberId, {
      memberId: workspace.member.memberId,
      readsWorkspace: true,
      readsAll: false,
    });
    expect(await held()).toEqual([
      [secret, null],
      [shown, members.memberId],
    ]);
    await moved(members.otherId, { memberId: members.otherId, readsWorkspace: true, readsAll: true });
    expect(await held()).toEqual([
      [secret, null],
      [shown, null],
    ]);
    await moved(members.memberId, null);
    expect((await held()).map(([, memberId]) => memberId)).toEqual([null, null]);
  });

  it('may have it moved on, and gives only what is held and what is new', async () => {
    const [held1, added] = [await add(), await add()];
    await save([item({ scan: held1 })]);
    await workspace.within((tx) => removeFiles(tx, [held1]));

    expect(reasons(await save([item({ photos: [added] }, { memberId: members.otherId })]))).toEqual([
      'updated',
    ]);

    expect(await held()).toEqual([[added, members.otherId]]);
  });
});

describe('a file that is deleted while a record with it is written', () => {
  it('is refused, if the deletion comes first', async () => {
    const scan = await add();
    let saving: Promise<SavedRecord[]> | undefined;
    await workspace.within(async (tx) => {
      await lockFile(tx, scan, giver);
      await removeFiles(tx, [scan]);
      saving = save([item({ scan }), item({ reason: 'Cough' }, { externalId: 'other' })]);
      await whenWaitedFor(tx);
    });
    expect(reasons((await saving) ?? [])).toEqual([refusal('scan'), 'created']);
  });

  it('is deleted with its attachment, if the record comes first', async () => {
    const scan = await add();
    let removing: Promise<void> | undefined;
    await writing(type, async (tx) => {
      await writeIn(tx, [item({ scan })]);
      removing = workspace.within((other) => removeFiles(other, [scan]));
      await whenWaitedFor(tx);
    });
    await removing;
    expect(await held()).toEqual([]);
    const stored = await workspace.within((tx) => tx('data_records').where({ data_type_id: type.id }));
    expect(stored).toMatchObject([{ field_values: { scan } }]);
  });

  it('leaves an id that may be sent back, and put nowhere else', async () => {
    const scan = await add();
    await save([item({ scan })]);
    await workspace.within((tx) => removeFiles(tx, [scan]));
    expect(reasons(await save([item({ scan, reason: 'Cough' })]))).toEqual(['updated']);
    expect(reasons(await save([item({ scan }, { externalId: 'other' })]))).toEqual([refusal('scan')]);
  });
});

it('Two writers of one record leave the files of the later one', async () => {
  const [one, two, three] = [await add(), await add(), await add()];
  const [saved] = await save([item({ scan: one })]);
  const id = saved?.status === 'created' ? saved.record.id : 0;
  let later: Promise<unknown> | undefined;
  await writing(type, async (tx) => {
    await lockDataRecord(tx, type.id, { id });
    later = save([item({ scan: three })]);
    await whenWaitedFor(tx);
    await writeIn(tx, [item({ scan: two, photos: [one] })]);
  });
  await later;
  expect((await held()).map(([fileId]) => fileId)).toEqual([one, three]);
});

it('Many writers of the same records and files leave what the values say', async () => {
  const fileIds = await Promise.all(Array.from({ length: 6 }, () => add()));
  const batch = (turn: number) =>
    Array.from({ length: 8 }, (_, at) => {
      const photos = fileIds.filter((_id, place) => (place + at + turn) % 3 !== 0);
      return item({ photos, scan: fileIds[(at + turn) % 6] }, { externalId: `visit-${at}` });
    });
  const turns = Array.from({ length: 8 }, (_, turn) =>
    turn % 2 === 0 ? batch(turn) : batch(turn).reverse(),
  );

  await Promise.all(turns.map((items) => save(items)));

  const left = await workspace.within(async (tx) => {
    const rows = await tx('data_records').where({ data_type_id: type.id }).orderBy('id');
    const attached = await tx('file_attachments')
      .whereIn(
        'record_id',
        rows.map(({ id }) => id),
      )
      .orderBy(['record_id', 'file_id']);
    return { rows, attached: attached.map(({ record_id, file_id }) => [record_id, file_id]) };
  });
  const said = left.rows.flatMap(({ id, field_values: { scan, photos } }) =>
    [...new Set<number>([scan, ...photos])].sort((one, other) => one - other).map((fileId) => [id, fileId]),
  );
  expect(left.attached).toEqual(said);
});
