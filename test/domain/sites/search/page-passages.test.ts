import { beforeEach, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { searchFiles } from '../../../../domain/files/search/search-files.js';
import { searchForAgent } from '../../../../domain/files/search/search-for-agent.js';
import { Actor } from '../../../../domain/kernel/actor.js';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { createPage } from '../../../../domain/sites/pages/create-page.js';
import { deleteDocument } from '../../../../domain/sites/pages/delete-document.js';
import { deletePage } from '../../../../domain/sites/pages/delete-page.js';
import { publishPage, unpublishPage } from '../../../../domain/sites/pages/publish-page.js';
import { updatePage } from '../../../../domain/sites/pages/update-page.js';
import { writeDocument } from '../../../../domain/sites/pages/write-document.js';
import { indexSomePages } from '../../../../domain/sites/search/index-pages.js';
import { duplicateSite } from '../../../../domain/sites/sites/duplicate-site.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();
let site: SiteRow;
beforeEach(async () => {
  site = await addSite(workspace);
});

async function published(title: string, text: string, of = site): Promise<number> {
  const { page } = await createPage(workspace.context(), of.id, { title, contentBlocks: oneParagraph(text) });
  await publishPage(workspace.context(), of.id, page.id);
  return page.id;
}

const search = async (q: string, words: 'all' | 'any' = 'all') =>
  (await searchFiles(workspace.context(), { q, words, limit: 10 })).pagePassages;
const titles = async (q: string) => (await search(q)).map(({ page }) => page.title).sort();

describe('a published page', () => {
  it('is found by its words in their forms and by its title, with the words marked', async () => {
    const pageId = await published('Hedgehog hours', 'Our hedgehogs were <b>sleeping</b> in October.');
    const [found, ...others] = await search('hedgehog sleeps');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      site: { id: site.id, name: site.name },
      page: { id: pageId, slug: 'hedgehog-hours', title: 'Hedgehog hours', locale: 'en-US' },
      text: expect.stringContaining('<b>sleeping</b>'),
    });
    expect(found?.excerpt.filter((part) => part.isFound).map(({ text }) => text)).toContain('sleeping');
  });

  it('is found as visitors read it: not as a draft, and a change once it is published', async () => {
    const context = workspace.context();
    const { page } = await createPage(context, site.id, {
      title: 'Plans',
      contentBlocks: oneParagraph('walrus'),
    });
    expect(await titles('walrus')).toEqual([]);
    await publishPage(context, site.id, page.id);
    await updatePage(context, site.id, page.id, { contentBlocks: oneParagraph('penguin') });
    expect([await titles('walrus'), await titles('penguin')]).toEqual([['Plans'], []]);
    await publishPage(context, site.id, page.id);
    expect([await titles('walrus'), await titles('penguin')]).toEqual([[], ['Plans']]);
  });

  it('is found no more once it is withdrawn, and again once it is published', async () => {
    const context = workspace.context();
    const pageId = await published('Otters', 'otters swim');
    await unpublishPage(context, site.id, pageId);
    expect(await titles('otters')).toEqual([]);
    await publishPage(context, site.id, pageId);
    expect(await titles('otters')).toEqual(['Otters']);
    await deletePage(context, site.id, pageId);
    expect(await titles('otters')).toEqual([]);
  });

  it('is found in each of its locales, in the language of each', async () => {
    const context = workspace.context();
    const pageId = await published('Badger', 'The badger digs');
    await writeDocument(context, site.id, pageId, {
      locale: 'de-DE',
      title: 'Dachs',
      contentBlocks: oneParagraph('Die Dachse graben Höhlen'),
    });
    await publishPage(context, site.id, pageId);
    expect((await search('Höhle')).map(({ page }) => [page.title, page.locale])).toEqual([
      ['Dachs', 'de-DE'],
    ]);
    await deleteDocument(context, site.id, pageId, 'de-DE');
    expect(await titles('Höhle')).toEqual([]);
  });

  it('is found by nobody in another workspace', async () => {
    await published('Lynx', 'the lynx is secret');
    const other = await createWorkspace(database.database);
    const found = await searchFiles(other.context(), { q: 'lynx', words: 'all', limit: 10 });
    expect(found.pagePassages).toEqual([]);
  });

  it('of a site that is not public is found by members, and not by agents, who may talk to anybody', async () => {
    await published('Staff rules', 'the ferret is for staff', await addSite(workspace, { isPublic: false }));
    await published('Ferret', 'the ferret is for everybody');
    expect(await titles('ferret')).toEqual(['Ferret', 'Staff rules']);
    const asked = {
      query: 'ferret',
      folderPath: undefined,
      reader: { memberId: 0, readsWorkspace: true, readsAll: false },
    };
    const found = await database.database.inWorkspace(workspace.workspaceId, (tx) =>
      searchForAgent(tx, asked),
    );
    if (typeof found === 'string') throw new Error(found);
    expect(found.passages.map((passage) => ('site' in passage ? passage.page.title : 'file'))).toEqual([
      'Ferret',
    ]);
  });

  it('is not found by a credential that may not read sites', async () => {
    await published('Marten', 'the marten climbs');
    const context = workspace.context();
    const scopes = new Set<Scope>(['files:read']);
    const { workspaceId, workspaceUuid, accountId, memberId, memberRoleId, credential } = context.actor;
    const ids = { workspaceId, workspaceUuid, accountId, memberId, memberRoleId };
    const actor = new Actor({
      ...ids,
      permissions: [],
      isKnown: true,
      credential: { ...credential, scopes },
    });
    expect(
      (await searchFiles({ ...context, actor }, { q: 'marten', words: 'all', limit: 10 })).pagePassages,
    ).toEqual([]);
  });
});

describe('pages that were published without being indexed', () => {
  it('are found after the next pass of the reconciler, and indexed once', async () => {
    await published('Beaver', 'beavers build');
    await duplicateSite(workspace.context(), site.id, { name: `Copy of ${site.slug}` });
    expect(await titles('beaver')).toEqual(['Beaver']);
    const context = { db: database.database, clock: workspace.context().clock };
    expect(await indexSomePages(context, workspace.workspaceId)).toBe(false);
    expect(await titles('beaver')).toEqual(['Beaver', 'Beaver']);
    expect(await indexSomePages(context, workspace.workspaceId)).toBe(false);
    expect(await titles('beaver')).toEqual(['Beaver', 'Beaver']);
  });
});
