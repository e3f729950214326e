import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationSource } from '../../db/migrations/index.js';
import { searchFiles } from '../../domain/files/search/search-files.js';
import { createPage } from '../../domain/sites/pages/create-page.js';
import { publishPage } from '../../domain/sites/pages/publish-page.js';
import { insertIndexedFile, page } from '../support/files/indexed-file.js';
import { addSite, oneParagraph } from '../support/sites/add-site.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

async function migrationsOf(names: string[]) {
  const all = await migrationSource.getMigrations([]);
  const wanted = all.filter((one) => names.includes(migrationSource.getMigrationName(one)));
  return Promise.all(wanted.map((one) => migrationSource.getMigration(one)));
}

it('passages of the last release are brought over, and those that it stores meanwhile are found as well', async () => {
  const { workspaceId } = workspace;
  const site = await addSite(workspace);
  const { fileId, versionId } = await insertIndexedFile(workspace, { pages: page('Läkaren', 'ปวดหัวมาก') });
  const contentBlocks = oneParagraph('Läkaren har ปวดหัวมาก');
  const created = await createPage(workspace.context(), site.id, { title: 'Page', contentBlocks });
  await publishPage(workspace.context(), site.id, created.page.id);
  // As the last release has stored them, without the trigger.
  for (const table of ['file_passages', 'page_passages']) {
    await migrator.raw(`alter table ${table} disable trigger keep_search_vector`);
    await migrator.raw(`update ${table} set tsv = to_tsvector(language::regconfig, text)`);
    await migrator.raw(`alter table ${table} enable trigger keep_search_vector`);
  }
  const found = async (q: string) => {
    const { passages, pagePassages } = await searchFiles(workspace.context(), { q, words: 'all', limit: 10 });
    return [passages.length, pagePassages.length];
  };
  expect(await found('lakaren')).toEqual([0, 0]);
  expect(await found('หัว')).toEqual([0, 0]);

  const [migration] = await migrationsOf(['0243-passages-in-any-form']);
  for (const _twice of [1, 2]) await migration?.up(migrator);
  expect(await found('lakaren')).toEqual([1, 1]);
  expect(await found('หัว')).toEqual([1, 1]);

  await migrator.raw(
    `insert into file_passages (workspace_id, file_id, version_id, page, ordinal, text, language, tsv)
     values (?, ?, ?, 2, 0, 'Sjuksköterskan', 'swedish', to_tsvector('swedish', 'Sjuksköterskan'))`,
    [workspaceId, fileId, versionId],
  );
  expect(await found('sjukskoterskan')).toEqual([1, 0]);
});

it('the last release goes on with its functions, and after they are taken back', async () => {
  const { workspaceId } = workspace;
  await insertIndexedFile(workspace, { pages: page('Kräftskiva') });
  const countOf = (sql: string) =>
    workspace.database.readInWorkspace(workspaceId, async (tx) => {
      const { rows } = await tx.raw(sql);
      return rows.length;
    });
  const asBefore = (q: string) =>
    countOf(
      `select * from search_readable_passages(passage_words('${q}', false), 0, true, true, null, 10, 10)`,
    );
  expect(await asBefore('kräftskiva')).toBe(1);
  expect(await asBefore('kraftskiva')).toBe(1);

  const migrations = await migrationsOf([
    '0240-words-in-any-form',
    '0241-words-of-messages-in-any-form',
    '0242-one-index-of-words',
  ]);
  for (const { down } of migrations.toReversed()) await migrator.transaction(async (tx) => down?.(tx));
  expect(await asBefore('kräftskiva')).toBe(1);
  for (const { up } of migrations) await migrator.transaction(async (tx) => up(tx));
  expect(await asBefore('kraftskiva')).toBe(1);
});
