import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('passages are found in any form, whichever words their writer has stored with them', async () => {
  const { workspaceId } = workspace;
  const site = await addSite(workspace);
  const { fileId, versionId } = await insertIndexedFile(workspace, { pages: page('Läkaren', 'ปวดหัวมาก') });
  const contentBlocks = oneParagraph('Läkaren har ปวดหัวมาก');
  const created = await createPage(workspace.context(), site.id, { title: 'Page', contentBlocks });
  await publishPage(workspace.context(), site.id, created.page.id);
  const found = async (q: string) => {
    const { passages, pagePassages } = await searchFiles(workspace.context(), { q, words: 'all', limit: 10 });
    return [passages.length, pagePassages.length];
  };
  expect(await found('lakaren')).toEqual([1, 1]);
  expect(await found('หัว')).toEqual([1, 1]);

  await migrator.raw(
    `insert into file_passages (workspace_id, file_id, version_id, page, ordinal, text, language, tsv)
     values (?, ?, ?, 2, 0, 'Sjuksköterskan', 'swedish', to_tsvector('swedish', 'Sjuksköterskan'))`,
    [workspaceId, fileId, versionId],
  );
  expect(await found('sjukskoterskan')).toEqual([1, 0]);
  await migrator.raw(`update file_passages set text = 'Kräftskivan' where page = 2`);
  expect(await found('sjukskoterskan')).toEqual([0, 0]);
  expect(await found('kraftskivan')).toEqual([1, 0]);
});

it('the functions of earlier releases find in any form as well', async () => {
  await insertIndexedFile(workspace, { pages: page('Kräftpest') });
  const asBefore = (q: string) =>
    workspace.within(async (tx) => {
      const { rows } = await tx.raw(
        `select * from search_readable_passages(passage_words('${q}', false), 0, true, true, null, 10, 10)`,
      );
      return rows.length;
    });

  expect(await asBefore('kräftpest')).toBe(1);
  expect(await asBefore('kraftpest')).toBe(1);
});
