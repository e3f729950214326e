import { expect, test } from 'vitest';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { connect } from '../../support/db/connect.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useConnection } from '../../support/db/use-database.js';
import { explainPageSearch } from '../../support/files/explain-search.js';
import { addSite, oneParagraph } from '../../support/sites/add-site.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A hundred thousand in CI. */
const total = Math.round(Number(process.env.TEST_ROWS ?? 30_000) / 10);

const { database, workspace } = useWorkspace();
const superuser = useConnection(() => database.superuserUrl);

test('passages of pages are found by the index of their words', async () => {
  const { id } = await addSite(workspace);
  const contentBlocks = oneParagraph('common words');
  const { page, document } = await createPage(workspace.context(), id, { title: 'Page', contentBlocks });
  await publishPage(workspace.context(), id, page.id);
  const client = await connect(database.superuserUrl);
  await fillTables(client, ['page_passages'], async () => {
    await client.query(
      `insert into page_passages (workspace_id, site_id, page_id, document_id, ordinal, text, language, tsv)
       select $1, $2, $3, $4, at, 'common words number' || at, 'english', to_tsvector('english', 'common words number' || at)
       from generate_series(100, $5::int) at`,
      [workspace.workspaceId, id, page.id, document.id, total],
    );
  });
  await client.end();
  await superuser('analyze page_passages');
  const asked = { workspaceId: workspace.workspaceId, word: 'number777' };
  for (const { scans, conditions } of await explainPageSearch({ query: superuser } as never, asked)) {
    expect(scans).toContain('Bitmap Index Scan page_passages_words');
    expect(conditions.join('\n')).toMatch(/tsv @@/);
  }
}, 300_000);
