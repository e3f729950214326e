import { expect, it } from 'vitest';
import { patchSite } from '../../../../db/sites/sites.js';
import { createMenuItem, getMenu } from '../../../../domain/sites/menus/menu-items.js';
import { createPage } from '../../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../../domain/sites/pages/publish-page.js';
import { getPage, listPages } from '../../../../domain/sites/pages/read-pages.js';
import { updatePage } from '../../../../domain/sites/pages/update-page.js';
import { writeDocument } from '../../../../domain/sites/pages/write-document.js';
import { duplicateSite } from '../../../../domain/sites/sites/duplicate-site.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();

it('a duplicate of a site has its pages, documents and menu, and is changed by itself', async () => {
  const context = workspace.context();
  const site = await addSite(workspace);
  const home = await createPage(context, site.id, { title: 'Home', contentBlocks: oneParagraph('first') });
  const pageId = home.page.id;
  await writeDocument(context, site.id, pageId, { locale: 'de-DE', title: 'Start' });
  await publishPage(context, site.id, pageId);
  await updatePage(context, site.id, pageId, { contentBlocks: oneParagraph('second') });
  await createPage(context, site.id, { title: 'Draft' });
  const above = await createMenuItem(context, site.id, { label: 'Home', itemType: 'page', pageId });
  const below = { label: 'Below', itemType: 'url', url: '/below', parentId: above.item.id } as const;
  await createMenuItem(context, site.id, below);
  await database.database.inWorkspace(workspace.workspaceId, (tx) =>
    patchSite(tx, site.id, { homePageId: pageId }),
  );

  const copy = await duplicateSite(context, site.id, { name: `Copy of ${site.name}` });

  const all = { page: 1, pageSize: 10, sortBy: 'slug', sortOrder: 'asc' } as const;
  const { items } = await listPages(context, copy.id, all);
  expect(items.map(({ page }) => page.slug)).toEqual(['draft', 'home']);
  expect(copy).toMatchObject({ pageCount: 2, homePageId: items[1]?.page.id, isPublic: false });
  const copied = await getPage(context, copy.id, items[1]?.page.id ?? 0);
  expect(copied.document).toMatchObject({ html: '<p>second</p>', publishedHtml: '<p>first</p>', version: 2 });
  expect(copied.documents.map(({ locale }) => locale)).toEqual(['de-DE', 'en-US']);
  const [item] = await getMenu(context, copy.id);
  expect(item).toMatchObject({
    item: { label: 'Home', pageId: copied.page.id },
    children: [{ item: { label: 'Below', url: '/below' } }],
  });

  await updatePage(context, copy.id, copied.page.id, { title: 'Other home' });
  expect((await getPage(context, site.id, pageId)).document.title).toBe('Home');
});
