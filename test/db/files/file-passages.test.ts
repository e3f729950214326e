import { describe, expect, test } from 'vitest';
import { type FoundPassage, searchPassages } from '../../../db/files/file-passages.js';
import { readSearchWords } from '../../../db/lib/search-words.js';
import { raw, sql } from '../../../db/sql.js';
import { statement } from '../../../db/statement.js';
import type { Tx } from '../../../db/tx.js';
import { useConnection, useDatabase } from '../../support/db/use-database.js';
import { explainSearch } from '../../support/files/explain-search.js';
import { insertIndexedFile, page } from '../../support/files/indexed-file.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

const database = useDatabase();
const superuser = useConnection(() => database.superuserUrl);

interface Asked {
  anyWord?: boolean;
  memberId?: number;
  readsAll?: boolean;
  folderIds?: number[] | null;
  limit?: number;
}

async function search(workspace: TestWorkspace, query: string, asked: Asked = {}): Promise<FoundPassage[]> {
  return workspace.within((tx) => searchIn(tx, query, asked));
}

async function searchIn(tx: Tx, query: string, asked: Asked): Promise<FoundPassage[]> {
  const { anyWord = false, memberId = 0, readsAll = true, folderIds = null, limit = 20 } = asked;
  return searchPassages(tx, {
    ...(await readSearchWords(tx, 'file', query, anyWord)),
    reader: { memberId, readsWorkspace: true, readsAll },
    folderIds,
    limit,
  });
}

async function wordsOf(workspace: TestWorkspace, query: string, anyWord = false): Promise<string> {
  const { words } = await workspace.within((tx) => readSearchWords(tx, 'file', query, anyWord));
  return words;
}

const texts = (found: FoundPassage[]) => found.map(({ text }) => text);

describe('the words of a query', () => {
  test('are read in each language that the workspace has passages in', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, {
      pages: [
        {
          page: 1,
          passages: ['The clinics are open on Saturdays, and the nurses answer all of the questions.'],
        },
        {
          page: 2,
          passages: ['Die Kliniken sind am Samstag geöffnet, und die Schwestern beantworten alle Fragen.'],
        },
      ],
    });

    expect((await search(workspace, 'clinic')).map(({ page }) => page)).toEqual([1]);
    expect((await search(workspace, 'Klinik')).map(({ page }) => page)).toEqual([2]);
    expect(await wordsOf(workspace, 'the question')).toBe("'question' | 'the' & 'question'");
  });

  test('are none when all are stop words, are excluded or are no words', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, {
      pages: page('The clinics are open on Saturdays, and the nurses answer all of the questions.'),
    });

    for (const query of ['the of and', '-clinic', '', '  ', '!!! ???', '-the -of']) {
      expect(await wordsOf(workspace, query), query).toBe('');
      expect(await search(workspace, query)).toEqual([]);
    }
    expect(await wordsOf(workspace, '-clinic', true)).toBe("'clinic'");
  });

  test('are those of the query itself in a workspace without passages', async () => {
    const workspace = await createWorkspace(database.database);
    expect(await search(workspace, 'the clinic')).toEqual([]);
    expect(await wordsOf(workspace, 'the clinic')).toBe("'the' & 'clinic'");
  });

  test('are all needed, or any of them', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, { pages: page('parking is free', 'the clinic has a garden') });
    expect(await search(workspace, 'clinic parking')).toEqual([]);
    expect(await search(workspace, 'clinic parking', { anyWord: true })).toHaveLength(2);
    expect(texts(await search(workspace, '"a garden"'))).toEqual(['the clinic has a garden']);
  });
});

describe('the search of passages', () => {
  test('finds the current version of files only', async () => {
    const workspace = await createWorkspace(database.database);
    const { fileId } = await insertIndexedFile(workspace, { pages: page('heron') });
    await workspace.within((tx) =>
      statement(
        tx,
        `with version as (
           insert into file_versions (workspace_id, file_id, number, object_id, filename, mime_type, kind, file_size)
           select workspace_id, file_id, 2, object_id, filename, mime_type, kind, file_size from file_versions
           where file_id = ? returning id
         ) update files set current_version_id = version.id from version where files.id = ?`,
        [fileId, fileId],
      ),
    );
    expect(await search(workspace, 'heron')).toEqual([]);
  });

  test('finds nothing of another workspace, and nothing outside workspaces', async () => {
    const [mine, theirs] = [
      await createWorkspace(database.database),
      await createWorkspace(database.database),
    ];
    await insertIndexedFile(theirs, { pages: page('kingfisher') });
    expect(await search(theirs, 'kingfisher')).toHaveLength(1);
    expect(await search(mine, 'kingfisher')).toEqual([]);
    await database.database.inIdentity(async (tx) => {
      const rows = await statement(
        tx,
        `select * from best_file_passages('kingfisher', 'kingfisher', 0, true, true, null, 10, 10)`,
        [],
      );
      expect(rows).toEqual([]);
    });
  });

  test('names the file', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, { title: 'Birds', pages: page('A bittern stands in the reeds.') });
    const [found] = await search(workspace, 'bittern');
    expect(found).toMatchObject({ title: 'Birds', filename: 'file.txt', page: 1 });
  });

  test('ranks passages with more of the words first, within the limit', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, { pages: page('one egret', 'egret egret heron', 'no bird') });
    const found = await search(workspace, 'egret heron', { anyWord: true, limit: 1 });
    expect(texts(found)).toEqual(['egret egret heron']);
  });

  test('a limit does not hide what the member may see behind what it may not', async () => {
    const workspace = await createWorkspace(database.database);
    for (let at = 0; at < 5; at++) {
      await insertIndexedFile(workspace, { access: 'private', pages: page('plover plover plover') });
    }
    await insertIndexedFile(workspace, { access: 'workspace', pages: page('one plover') });
    const asMember = { memberId: workspace.member.memberId, readsAll: false, limit: 1 };
    expect(texts(await search(workspace, 'plover', asMember))).toEqual(['one plover']);
  });

  test('agrees with the rule of lists about who reads which file', async () => {
    const workspace = await createWorkspace(database.database);
    const { member, admin } = workspace;
    for (const access of ['private', 'workspace', 'public'] as const) {
      for (const ownerMemberId of [null, member.memberId, admin.memberId]) {
        for (const attached of [false, true]) {
          const { fileId } = await insertIndexedFile(workspace, {
            access,
            ownerMemberId,
            pages: page('curlew'),
          });
          if (attached) await attachToMember(workspace, fileId, member.memberId);
        }
      }
    }
    const everyone = [
      { memberId: member.memberId, readsWorkspace: true, readsAll: false },
      { memberId: admin.memberId, readsWorkspace: true, readsAll: false },
      { memberId: admin.memberId, readsWorkspace: true, readsAll: true },
    ];
    for (const reader of everyone) {
      const found = await search(workspace, 'curlew', { ...reader, limit: 50 });
      const listed = await listReadable(workspace, reader);
      expect(listed.length).toBeGreaterThan(10);
      expect(found.map(({ fileId }) => fileId).sort()).toEqual(listed.sort());
    }
  });

  test('finds the words by the index, also for a member that sees some of the files', async () => {
    const workspace = await createWorkspace(database.database);
    await insertIndexedFile(workspace, {
      pages: Array.from({ length: 2_000 }, (_, at) => ({
        page: at + 1,
        passages: [`common words number${at}`],
      })),
    });
    await superuser('analyze file_passages');
    const asked = {
      workspaceId: workspace.workspaceId,
      memberId: workspace.member.memberId,
      word: 'number77',
    };
    for (const { scans, conditions } of await explainSearch({ query: superuser } as never, asked)) {
      expect(scans).toContain('Bitmap Index Scan file_passages_words');
      expect(conditions.join('\n')).toMatch(/tsv @@/);
    }
  });
});

async function attachToMember(workspace: TestWorkspace, fileId: number, memberId: number): Promise<void> {
  await superuser(`alter table file_attachments disable trigger all`);
  await superuser(
    `insert into file_attachments (workspace_id, file_id, member_id, message_id) values ($1, $2, $3, 1)`,
    [workspace.workspaceId, fileId, memberId],
  );
  await superuser(`alter table file_attachments enable trigger all`);
}

async function listReadable(
  workspace: TestWorkspace,
  { memberId, readsAll }: { memberId: number; readsAll: boolean },
): Promise<number[]> {
  const condition = readsAll
    ? raw('true')
    : sql`(files.owner_member_id = ${memberId} or files.access <> 'private'
        or exists (select from file_attachments attached
          where attached.file_id = files.id and attached.member_id = ${memberId}))`;
  const rows = await workspace.within((tx) =>
    statement<{ id: number }>(tx, `select id from files where ${condition.text}`, condition.bindings),
  );
  return rows.map(({ id }) => id);
}
