import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileFilter, type FileSortField, selectFiles } from '../../../db/files/file-lists.js';
import { searchPassages } from '../../../db/files/file-passages.js';
import type { FileReader } from '../../../db/files/readable-files.js';
import { selectSharedFiles } from '../../../db/files/shared-files.js';
import type { Tx } from '../../../db/tx.js';
import type { PageOf, PageRequest } from '../../../domain/lib/paging.js';
import { explaining } from '../../support/db/explained.js';
import { explainSearch } from '../../support/files/explain-search.js';
import {
  addManyPassages,
  filesTogether,
  type ManyFiles,
  makeManyFiles,
} from '../../support/files/many-files.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** Four times as many in CI: a million, twice, take six minutes to make. */
const total = Math.min(Number(process.env.TEST_ROWS ?? 50_000), 200_000);
const stage = useWorkspace();
let superuser: pg.Client;
/** A workspace whose members see most files, and one in which all are private. */
let open: ManyFiles & { place: TestWorkspace };
let closed: ManyFiles & { place: TestWorkspace };

beforeAll(async () => {
  const { superuserUrl, database } = stage.database;
  superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  const other = await createWorkspace(database);
  const { workspace } = stage;
  open = {
    place: workspace,
    ...(await makeManyFiles(superuserUrl, workspace, { total, access: 'workspace' })),
  };
  closed = { place: other, ...(await makeManyFiles(superuserUrl, other, { total, access: 'private' })) };
}, 600_000);
afterAll(() => superuser.end());

interface Shape extends Partial<PageRequest<FileSortField>> {
  filter?: () => FileFilter;
  finds: number;
  /** How many rows of tables and indexes are read for the page. */
  most?: number;
}

/** Reads the rows that a filter finds, each from an index and perhaps from the table, twice. */
const few = 4 * filesTogether;
/** Reads in the order of the page until it is full. */
const inOrder = 10_000;
/** Or all that is found, with what indexes say of it, where nothing is known of the table yet. */
const ofAKind = Math.max(inOrder, (4 * total) / 100);
const byTitle = { sortBy: 'title', sortOrder: 'asc' } as const;
const anHour = { createdFrom: '2030-01-01T10:00:00Z', createdBefore: '2030-01-01T11:00:00Z' };

const shapes: [string, Shape][] = [
  ['all, the newest', { finds: total, most: 200 }],
  ['all, by title', { ...byTitle, finds: total, most: 200 }],
  ['all, the last changed', { sortBy: 'updatedAt', finds: total, most: 200 }],
  ['of a folder', { filter: () => ({ folderId: open.folderId }), finds: filesTogether, most: few }],
  [
    'of a folder, by title',
    { filter: () => ({ folderId: open.folderId }), ...byTitle, finds: filesTogether, most: few },
  ],
  ['in no folder', { filter: () => ({ folderId: null }), finds: 0, most: 0 }],
  ['with a label', { filter: () => ({ labelId: [open.labelId] }), finds: filesTogether, most: 3 * few }],
  ['of an owner', { filter: () => ({ ownerId: [open.memberId] }), finds: filesTogether, most: few }],
  ['of a kind', { filter: () => ({ kind: ['media'] }), finds: total / 100, most: ofAKind }],
  [
    'of a kind, by title',
    { filter: () => ({ kind: ['media'] }), ...byTitle, finds: total / 100, most: ofAKind },
  ],
  ['with an access', { filter: () => ({ access: ['public'] }), finds: total / 10, most: (4 * total) / 10 }],
  ['with an external id', { filter: () => ({ externalId: 'external-7' }), finds: 1, most: 10 }],
  ['of an hour', { filter: () => anHour, finds: 3_600, most: 200 }],
];

async function explain(
  { place }: { place: TestWorkspace },
  read: (tx: Tx) => Promise<PageOf<unknown>>,
): Promise<{ found: number; counted: number; paged: number; scans: string[] }> {
  let found = 0;
  const plans = await explaining(
    stage.database.appUrl,
    place.workspaceId,
    async (db) => {
      found = await db.readInWorkspace(place.workspaceId, async (tx) => (await read(tx)).total);
    },
    /^(select|with) .*\bfiles\b/s,
  );
  const [count, ...pages] = plans;
  return {
    found,
    counted: count?.rows ?? 0,
    paged: pages.reduce((sum, { rows }) => sum + rows, 0),
    scans: plans.flatMap(({ scans }) => scans),
  };
}

const pageOf = (shape: Partial<PageRequest<FileSortField>>) =>
  ({ page: 1, pageSize: 25, sortBy: 'createdAt', sortOrder: 'desc', ...shape }) as const;

describe.each(['never analysed', 'analysed'])('a list of many files, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze files, file_label_links, file_attachments');
  }, 300_000);

  it.each(shapes)('reads few rows for its page: %s', { timeout: 300_000 }, async (_name, shape) => {
    const { filter = () => ({}), finds, most = 0, ...asked } = shape;
    const reader = { memberId: open.memberId, readsWorkspace: true, readsAll: true };
    const told = await explain(open, (tx) => selectFiles(tx, filter(), pageOf(asked), reader));
    expect(told.found).toBe(finds);
    // The label itself is a row.
    expect(told.counted).toBeLessThanOrEqual(Math.max(3 * finds + 1, 10));
    expect(told.paged).toBeLessThanOrEqual(most);
  });

  it.each(shapes)('is read by a member with little more: %s', { timeout: 300_000 }, async (_name, shape) => {
    const { filter = () => ({}), finds, most = 0, ...asked } = shape;
    const reader = { memberId: open.memberId, readsWorkspace: true, readsAll: false };
    const told = await explain(open, (tx) => selectFiles(tx, filter(), pageOf(asked), reader));
    expect(told.found).toBeLessThanOrEqual(finds);
    // The attachments of the member are read with each statement.
    expect(told.counted).toBeLessThanOrEqual(Math.max(3 * finds, 10) + few);
    expect(told.paged).toBeLessThanOrEqual(Math.max(most, inOrder));
  });

  it('of a shared folder is read by its index', async () => {
    const reader = { member: undefined, link: undefined };
    const page = { page: 1, pageSize: 100 };
    const told = await explain(open, (tx) => selectSharedFiles(tx, open.folderId, page, reader));
    expect(told.counted + told.paged).toBeLessThanOrEqual(3 * few);
    expect(told.scans.filter((scan) => scan === 'Seq Scan files')).toEqual([]);
  });
});

describe('a list of the few files that a member sees among many private ones', () => {
  beforeAll(async () => {
    await superuser.query('analyze files, file_attachments');
  }, 300_000);

  it.each<[string, Partial<PageRequest<FileSortField>>, FileFilter, number]>([
    ['all, the newest', {}, {}, 2 * filesTogether],
    ['all, by title', byTitle, {}, 2 * filesTogether],
    ['of a kind', {}, { kind: ['media'] }, 0],
    ['a search', {}, { search: 'nowhere' }, 0],
  ])('passes none of the others: %s', { timeout: 300_000 }, async (_name, asked, filter, finds) => {
    const reader = { memberId: closed.memberId, readsWorkspace: true, readsAll: false };
    const told = await explain(closed, (tx) => selectFiles(tx, filter, pageOf(asked), reader));
    expect(told.found).toBe(finds);
    const ofKind = filter.kind === undefined ? 0 : total / 100;
    expect(told.counted + told.paged).toBeLessThanOrEqual(2_000 + 3 * ofKind);
  });
});

/** Of a file: a million in CI, in both workspaces together. */
const passagesOfFile = Math.max(1, Math.round(Number(process.env.TEST_ROWS ?? 50_000) / (2 * total)));
const ofGroup = filesTogether * passagesOfFile;
const groupWord = 'group1000003';

describe('a search of many passages', () => {
  beforeAll(async () => {
    await addManyPassages(superuser, [open.place, closed.place], { of: passagesOfFile });
  }, 600_000);

  const search = ({ place }: { place: TestWorkspace }, reader: FileReader) =>
    place.database.readInWorkspace(place.workspaceId, (tx) =>
      searchPassages(tx, {
        words: groupWord,
        asWritten: groupWord,
        reader,
        folderIds: null,
        limit: 10 * ofGroup,
      }),
    );

  it.each([true, false])(
    'reads by its index what has the word, and nothing else: readsAll %s',
    async (readsAll) => {
      const { workspaceId } = open.place;
      const asked = { workspaceId, memberId: open.memberId, readsAll, word: groupWord };
      for (const { scans, rows, conditions } of await explainSearch(superuser, asked)) {
        expect(scans).toContain('Bitmap Index Scan file_passages_words');
        expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
        expect(conditions.join('\n')).toMatch(/workspace_id = [^\n]*tsv @@|tsv @@[^\n]*workspace_id =/);
        // The entries of the index, the passages twice, their files, and the attachments of the member.
        expect(rows).toBeLessThanOrEqual(8 * ofGroup);
      }
    },
  );

  it('finds nothing of another workspace that has as many passages with the word', async () => {
    const reader = { memberId: open.memberId, readsWorkspace: true, readsAll: true };
    for (const many of [open, closed]) {
      const found = await search(many, reader);
      expect(found).toHaveLength(ofGroup);
      const rows = await superuser.query(
        'select distinct workspace_id from files where id = any($1::bigint[])',
        [found.map(({ fileId }) => fileId)],
      );
      expect(rows.rows).toEqual([{ workspace_id: many.place.workspaceId }]);
    }
  });

  it('finds only what a member sees among private files of others', async () => {
    const owned = await search(closed, { memberId: closed.memberId, readsWorkspace: true, readsAll: false });
    expect(owned).toHaveLength(ofGroup);
    expect(
      await search(closed, { memberId: closed.memberId + 7, readsWorkspace: true, readsAll: false }),
    ).toEqual([]);
  });
});
