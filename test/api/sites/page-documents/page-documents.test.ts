import { beforeAll, describe, expect, it } from 'vitest';
import { maxRevisions } from '../../../../db/sites/site-page-revisions.js';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, as, asAdmin } = useApi();

let site: SiteRow;
beforeAll(async () => {
  site = await addSite(workspace);
});

async function newPage(text = 'one') {
  const values = { title: `Page ${randomTag()}`, contentBlocks: oneParagraph(text) };
  return (await asAdmin('POST', `/sites/${site.id}/pages`, values)).body as { id: number; slug: string };
}
const pathOf = ({ id }: { id: number }) => `/sites/${site.id}/pages/${id}`;
const documentOf = (page: { id: number }, locale = 'en-US') => `${pathOf(page)}/documents/${locale}`;
const save = (page: { id: number }, text: string, asCaller = asAdmin) =>
  asCaller('PUT', documentOf(page), { contentBlocks: oneParagraph(text) });
const revisionsOf = async (page: { id: number }) =>
  (await asAdmin('GET', `${documentOf(page)}/revisions`)).body.items;
const htmlOf = async (page: { id: number }) => (await asAdmin('GET', documentOf(page))).body.contentHtml;

/** Lets the time pass that the saves of one editor are one revision for. */
const letPass = (page: { id: number }) =>
  workspace.within((tx) =>
    tx('site_page_documents')
      .where({ page_id: page.id })
      .update({ kept_at: new Date(Date.now() - 11 * 60_000) }),
  );

describe('documents of a page', () => {
  it('are one for each locale of the site, the first with a title', async () => {
    const page = await newPage();
    const german = documentOf(page, 'de-DE');
    expect((await asAdmin('GET', german)).status).toBe(404);
    expect(pointersOf((await asAdmin('PUT', german, { contentBlocks: oneParagraph('x') })).body)).toEqual([
      '/title',
    ]);
    const written = await asAdmin('PUT', german, { title: 'Seite' });
    expect(written).toMatchObject({
      status: 200,
      body: { pageId: page.id, locale: 'de-DE', version: 1, title: 'Seite', publishedVersion: null },
    });
    const french = await asAdmin('PUT', documentOf(page, 'fr-FR'), { title: 'Page' });
    expect([french.status, pointersOf(french.body)]).toEqual([400, ['/locale']]);
    const { body } = await asAdmin('GET', `${pathOf(page)}/documents`);
    expect(body.map(({ locale }: { locale: string }) => locale)).toEqual(['de-DE', 'en-US']);
  });

  it('are written once by concurrent requests for a new locale', async () => {
    const page = await newPage();
    const write = (at: number) => asAdmin('PUT', documentOf(page, 'de-DE'), { title: `Seite ${at}` });
    const answers = await Promise.all([0, 1, 2, 3].map(write));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await asAdmin('GET', documentOf(page, 'de-DE'));
    expect(body.version).toBe(4);
  });

  it('have a version that a save without changes does not raise', async () => {
    const page = await newPage();
    await save(page, 'one');
    expect((await save(page, 'two')).body.version).toBe(2);
    expect((await save(page, 'two')).body.version).toBe(2);
  });

  it('refuse a change from an older ETag', async () => {
    const page = await newPage();
    const { apiKey } = workspace.admin;
    const path = workspace.path(documentOf(page));
    const headers = { 'If-Match': (await api.request('GET', path, { apiKey })).headers.get('etag') ?? '' };
    const change = (title: string) => api.request('PUT', path, { apiKey, headers, body: { title } });
    const answers = await Promise.all([change('One'), change('Two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('are deleted but for the last one, at once for visitors', async () => {
    const page = await newPage();
    await asAdmin('PUT', documentOf(page, 'de-DE'), { title: 'Seite' });
    await asAdmin('POST', `${pathOf(page)}/publish`);
    const read = () =>
      api.request('GET', `/s/${workspace.workspaceUuid}/${site.uuid}/pages/${page.slug}`, {
        query: { locale: 'de-DE' },
      });
    expect((await read()).body.locale).toBe('de-DE');
    expect((await asAdmin('DELETE', documentOf(page, 'de-DE'))).status).toBe(204);
    expect((await read()).body.locale).toBe('en-US');
    expect(await asAdmin('DELETE', documentOf(page))).toMatchObject({
      status: 409,
      body: { code: 'last_document' },
    });
  });
});

describe('revisions of a document', () => {
  it('are what was published, and what other editors or later edits overwrote', async () => {
    const page = await newPage('one');
    await save(page, 'two');
    expect(await revisionsOf(page)).toEqual([]);

    const editor = await addMember(workspace, { permissions: ['sites:read', 'sites:write'] });
    await save(page, 'three', as(editor));
    await asAdmin('POST', `${pathOf(page)}/publish`);
    await save(page, 'four', as(editor));
    await letPass(page);
    await save(page, 'five', as(editor));

    const kept = await revisionsOf(page);
    expect(
      kept.map(({ number, version, reason }: Record<string, unknown>) => [number, version, reason]),
    ).toEqual([
      [3, 4, 'edited'],
      [2, 3, 'published'],
      [1, 2, 'edited'],
    ]);
    expect(kept[2]).toMatchObject({ editedByMemberId: workspace.admin.memberId });
    expect(kept[1]).toMatchObject({ editedByMemberId: editor.memberId });
  });

  it('can be restored, which keeps what editors had, and shows nothing to visitors', async () => {
    const page = await newPage('one');
    await asAdmin('POST', `${pathOf(page)}/publish`);
    await save(page, 'two');
    const [first] = await revisionsOf(page);
    const path = `${documentOf(page)}/revisions/${first.id}`;
    expect((await asAdmin('GET', path)).body).toMatchObject({ number: 1, contentBlocks: { type: 'doc' } });

    const restored = await asAdmin('POST', `${path}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { version: 3, contentHtml: '<p>one</p>' } });
    const [newest] = await revisionsOf(page);
    expect(newest).toMatchObject({ number: 2, version: 2, reason: 'restored' });
    await asAdmin('POST', `${documentOf(page)}/revisions/${newest.id}/restore`);
    expect(await htmlOf(page)).toBe('<p>two</p>');
    const visitor = await api.request('GET', `/s/${workspace.workspaceUuid}/${site.uuid}/pages/${page.slug}`);
    expect(visitor.body.content).toBe('<p>one</p>');
  });

  it('are not restored where today’s rules refuse them', async () => {
    const page = await newPage('one');
    await asAdmin('POST', `${pathOf(page)}/publish`);
    await save(page, 'two');
    const [first] = await revisionsOf(page);
    await workspace.within((tx) =>
      tx('site_page_revisions')
        .where({ id: first.id })
        .update({ content: JSON.stringify({ type: 'doc', content: [{ type: 'blink' }] }) }),
    );
    const answer = await asAdmin('POST', `${documentOf(page)}/revisions/${first.id}/restore`);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/contentBlocks/content/0/type']]);
    expect(await htmlOf(page)).toBe('<p>two</p>');
  });

  it('are those of their document only', async () => {
    const [one, other] = [await newPage(), await newPage()];
    for (const page of [one, other]) await asAdmin('POST', `${pathOf(page)}/publish`);
    const [revision] = await revisionsOf(one);
    expect((await asAdmin('GET', `${documentOf(other)}/revisions/${revision.id}`)).status).toBe(404);
    expect((await asAdmin('POST', `${documentOf(other)}/revisions/${revision.id}/restore`)).status).toBe(404);
  });

  it('are the newest ones, of a bounded number', async () => {
    const page = await newPage('0');
    for (let at = 1; at <= maxRevisions + 3; at += 1) {
      await letPass(page);
      await save(page, String(at));
    }
    const { body } = await asAdmin('GET', `${documentOf(page)}/revisions`, undefined, { pageSize: 100 });
    const numbers = body.items.map(({ number }: { number: number }) => number);
    expect([body.total, numbers.length, numbers[0], numbers.at(-1)]).toEqual([
      maxRevisions,
      maxRevisions,
      maxRevisions + 3,
      4,
    ]);
  });
});
