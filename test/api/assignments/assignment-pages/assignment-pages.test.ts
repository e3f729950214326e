import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { maxPagesOfAssignment } from '../../../../domain/assignments/assignment-pages.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { createPage } from '../../../../domain/sites/pages/create-page.js';
import { publishPage, unpublishPage } from '../../../../domain/sites/pages/publish-page.js';
import { updatePage } from '../../../../domain/sites/pages/update-page.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { addApiKey, addAssignment } from '../../../support/workspace/factories.js';

const { workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const rootTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } } as const;
let site: SiteRow;
let path: string;
beforeAll(async () => {
  site = await addSite(workspace, { isPublic: false });
});

async function newAssignment(memberId = workspace.member.memberId) {
  const { assignment } = await addAssignment(workspace, { rootTask, memberId });
  path = `/assignments/${assignment.id}`;
  return assignment;
}

async function newPage(text = 'shown', isPublished = true) {
  const context = workspace.context();
  const { page } = await createPage(context, site.id, {
    title: 'Leaflet',
    contentBlocks: oneParagraph(text),
  });
  if (isPublished) await publishPage(context, site.id, page.id);
  return page;
}
const attach = (...pages: { id: number }[]) =>
  asAdmin('POST', `${path}/pages`, { pageIds: pages.map(({ id }) => id) });
const pagesSeen = async (asCaller = asMember) => (await asCaller('GET', path)).body.pages;

describe('pages of an assignment', () => {
  it('are those attached to it, as visitors read them, also in lists', async () => {
    await newAssignment();
    const [one, two] = [await newPage('first'), await newPage()];
    expect((await attach(one, two)).body.pages.map(({ id }: { id: number }) => id)).toEqual([one.id, two.id]);
    await updatePage(workspace.context(), site.id, one.id, { contentBlocks: oneParagraph('not yet told') });

    const [shown] = await pagesSeen();
    expect(shown).toMatchObject({
      id: one.id,
      title: 'Leaflet',
      status: 'published',
      contentHtml: '<p>first</p>',
      contentMarkdown: 'first',
      sourceHtml: null,
      locale: 'en-US',
    });
    const listed = (await asMember('GET', '/assignments')).body.items;
    expect(listed[listed.length - 1].pages).toHaveLength(2);
  });

  it('are attached once, and detached', async () => {
    await newAssignment();
    const page = await newPage();
    await attach(page);
    expect((await attach(page)).body.pages).toHaveLength(1);
    expect((await asAdmin('DELETE', `${path}/pages/${page.id}`)).status).toBe(204);
    expect(await pagesSeen()).toEqual([]);
    expect((await asAdmin('DELETE', `${path}/pages/${page.id}`)).status).toBe(404);
  });

  it('are left out while they are not published, and gone once they are deleted', async () => {
    await newAssignment();
    const page = await newPage();
    await attach(page);
    await unpublishPage(workspace.context(), site.id, page.id);
    expect(await pagesSeen()).toEqual([]);
    await publishPage(workspace.context(), site.id, page.id);
    expect(await pagesSeen()).toHaveLength(1);
    await asAdmin('DELETE', `/sites/${site.id}/pages/${page.id}`);
    expect(await pagesSeen()).toEqual([]);
  });

  it('cannot be drafts, pages of other workspaces, or more than allowed', async () => {
    await newAssignment();
    const foreign = await addSite(otherWorkspace);
    const theirs = otherWorkspace.context();
    const { page: other } = await createPage(theirs, foreign.id, { title: 'Theirs' });
    await publishPage(theirs, foreign.id, other.id);
    const draft = await newPage('draft', false);
    const refused = await attach(await newPage(), draft, other);
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/pageIds/1', '/pageIds/2']]);

    const pages = [];
    for (let count = 0; count <= maxPagesOfAssignment; count += 1) pages.push(await newPage());
    await attach(...pages.slice(0, maxPagesOfAssignment));
    expect(await attach(...pages.slice(-1))).toMatchObject({ status: 409, body: { code: 'too_many_pages' } });
    expect(await pagesSeen()).toHaveLength(maxPagesOfAssignment);
  });

  it('are cut where they are too large together for an answer', async () => {
    await newAssignment();
    const large = await newPage('large'.repeat(12_000));
    await attach(large, await newPage('large'.repeat(12_000)), await newPage('large'.repeat(12_000)));
    const { body } = await asMember('GET', path);
    expect([body.pages.length, body.pagesAreCut]).toEqual([2, true]);
  });

  it('are for those who may read and change the assignment, with the scope of sites', async () => {
    const { id } = await newAssignment(workspace.admin.memberId);
    const page = await newPage();
    expect((await asMember('POST', `/assignments/${id}/pages`, { pageIds: [page.id] })).status).toBe(403);
    expect((await asMember('DELETE', `/assignments/${id}/pages/${page.id}`)).status).toBe(403);
    await attach(page);
    const scopes = allScopes.filter((scope) => scope !== 'sites:read');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    expect(await pagesSeen(as({ apiKey }))).toEqual([]);
    expect(await pagesSeen(asAdmin)).toHaveLength(1);
  });
});
