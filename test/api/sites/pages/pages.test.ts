import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { pageLimits } from '../../../../domain/sites/pages/limits.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addSite, oneParagraph } from '../../../support/sites/add-site.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();

let site: SiteRow;
let shown: { id: number; slug: string };
beforeAll(async () => {
  site = await addSite(workspace);
  shown = await newPage();
});

const pagesOf = ({ id }: { id: number }) => `/sites/${id}/pages`;
async function newPage(values: object = {}, of = site) {
  const { status, body } = await asAdmin('POST', pagesOf(of), { title: `Page ${randomTag()}`, ...values });
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}
const pathOf = (page: { id: number }, of = site) => `${pagesOf(of)}/${page.id}`;
const publish = (page: { id: number }, of = site) => asAdmin('POST', `${pathOf(page, of)}/publish`);
const countOf = async (of = site) =>
  workspace.within((tx) => tx('sites').where({ id: of.id }).first('page_count as pageCount'));

/** Reads as a visitor, or as a member. */
function read(
  slugOrId: string | number,
  { query = '', of = site, apiKey }: { query?: string; of?: SiteRow; apiKey?: string } = {},
) {
  const path = `/s/${workspace.workspaceUuid}/${of.uuid}/pages/${slugOrId}${query}`;
  return api.request('GET', path, apiKey === undefined ? {} : { apiKey });
}

describe('a page', () => {
  it('is created as a draft in the primary locale, with a slug of its title', async () => {
    const of = await addSite(workspace);
    const page = await newPage({ title: 'Über uns', contentBlocks: oneParagraph('Hello & welcome') }, of);
    expect(page).toMatchObject({
      siteId: of.id,
      slug: 'uber-uns',
      title: 'Über uns',
      status: 'draft',
      isHomePage: false,
      locale: 'en-US',
      primaryLocale: 'en-US',
      availableLocales: ['en-US'],
      metaDescription: null,
      contentHtml: '<p>Hello &amp; welcome</p>',
      contentMarkdown: 'Hello \\& welcome',
      contentAMP: '<p>Hello &amp; welcome</p>',
      sourceMetadata: {},
      sourceHtml: null,
      sourceMarkdown: null,
      sourceUrl: null,
      crawledAt: null,
      publishedAt: null,
      publishAt: null,
      hasUnpublishedChanges: false,
    });
    expect((await asAdmin('GET', pathOf(page, of))).body).toEqual(page);
    expect(await countOf(of)).toEqual({ pageCount: 1 });
  });

  it('whose slug is made of a title gets a number where it is taken', async () => {
    const of = await addSite(workspace);
    const slugs = [];
    for (let count = 0; count < 3; count += 1) slugs.push((await newPage({ title: 'News' }, of)).slug);
    slugs.push((await newPage({ title: '2026' }, of)).slug, (await newPage({ title: 'Feed' }, of)).slug);
    expect(slugs).toEqual(['news', 'news-2', 'news-3', 'page-2026', 'feed-2']);
  });

  it.each([
    ['no title', { title: undefined }, ['/title']],
    ['a slug of digits', { slug: '2026' }, ['/slug']],
    ['a slug in capitals', { slug: 'About' }, ['/slug']],
    ['a slug that addresses of sites use', { slug: 'feed' }, ['/slug']],
    ['a locale that the site does not have', { locale: 'fr-FR' }, ['/locale']],
    ['a document that is none', { contentBlocks: { type: 'paragraph' } }, ['/contentBlocks/type']],
    [
      'a link that runs a script',
      {
        contentBlocks: {
          type: 'doc',
          content: [
            {
              type: 'paragraph',
              content: [
                {
                  type: 'text',
                  text: 'x',
                  marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
                },
              ],
            },
          ],
        },
      },
      ['/contentBlocks/content/0/content/0/marks/0/attrs/href'],
    ],
    ['an unknown field', { html: '<p>' }, ['/html']],
  ])('is refused with %s', async (_, values, pointers) => {
    const { status, body } = await asAdmin('POST', pagesOf(site), { title: 'x', ...values });
    expect([status, pointersOf(body)]).toEqual([400, pointers]);
  });

  it('has a slug of its own in the site, also for concurrent requests, and counts once', async () => {
    const of = await addSite(workspace);
    const body = { title: 'Twin', slug: 'twin' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => asAdmin('POST', pagesOf(of), body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(await countOf(of)).toEqual({ pageCount: 1 });
    expect((await newPage(body, await addSite(workspace))).slug).toBe('twin');
  });

  it('is created once for a repeated request, and by concurrent requests counted exactly', async () => {
    const of = await addSite(workspace);
    const headers = { 'Idempotency-Key': randomTag() };
    const { apiKey } = workspace.admin;
    const path = workspace.path(pagesOf(of));
    const once = () => api.request('POST', path, { apiKey, headers, body: { title: 'Once' } });
    expect((await once()).body).toEqual((await once()).body);
    await Promise.all(Array.from({ length: 8 }, (_, at) => newPage({ title: `Page ${at}` }, of)));
    expect(await countOf(of)).toEqual({ pageCount: 9 });
  });

  it('is refused where the site has as many as allowed', async () => {
    const of = await addSite(workspace, { pageCount: pageLimits.pages } as object);
    const answer = await asAdmin('POST', pagesOf(of), { title: 'One more' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_pages' } });
  });

  it('is refused where the documents of the site have as many bytes as allowed', async () => {
    const of = await addSite(workspace);
    const page = await newPage({}, of);
    await workspace.within((tx) =>
      tx('site_page_documents').where({ page_id: page.id }).update({ content_bytes: pageLimits.bytesOfSite }),
    );
    const more = { contentBlocks: oneParagraph('more') };
    expect(await asAdmin('POST', pagesOf(of), { title: 'x', ...more })).toMatchObject({
      status: 409,
      body: { code: 'site_full' },
    });
    // What makes a page smaller is accepted.
    expect((await asAdmin('PUT', pathOf(page, of), more)).status).toBe(200);
  });

  it('keeps omitted fields when it is changed, and refuses a change from an older ETag', async () => {
    const page = await newPage({ contentBlocks: oneParagraph('first') });
    const { apiKey } = workspace.admin;
    const path = workspace.path(pathOf(page));
    const etag = (await api.request('GET', path, { apiKey })).headers.get('etag') ?? '';
    const headers = { 'If-Match': etag };
    const changed = await api.request('PUT', path, { apiKey, headers, body: { metaDescription: 'Short' } });
    expect(changed.body).toEqual({ ...page, metaDescription: 'Short', updatedAt: expect.any(String) });
    const late = await api.request('PUT', path, { apiKey, headers, body: { title: 'Late' } });
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  });

  it('is deleted with all that belongs to it', async () => {
    const of = await addSite(workspace);
    const page = await newPage({ slug: 'gone' }, of);
    await publish(page, of);
    expect((await asAdmin('DELETE', pathOf(page, of))).status).toBe(204);
    expect((await asAdmin('GET', pathOf(page, of))).status).toBe(404);
    expect((await read('gone', { of })).status).toBe(404);
    expect(await countOf(of)).toEqual({ pageCount: 0 });
    expect((await asAdmin('DELETE', pathOf(page, of))).status).toBe(404);
  });

  it('becomes the home page of its site, until it is deleted, and of no other site', async () => {
    const of = await addSite(workspace);
    const page = await newPage({}, of);
    const path = `/sites/${of.id}`;
    expect(pointersOf((await asAdmin('PUT', path, { homePageId: shown.id })).body)).toEqual(['/homePageId']);
    expect((await asAdmin('PUT', path, { homePageId: page.id })).body).toMatchObject({ homePageId: page.id });
    expect((await asAdmin('GET', pathOf(page, of))).body.isHomePage).toBe(true);
    expect((await asAdmin('PUT', path, { homePageId: null })).body).toMatchObject({ homePageId: null });
    await asAdmin('PUT', path, { homePageId: page.id });
    await asAdmin('DELETE', pathOf(page, of));
    expect((await asAdmin('GET', path)).body).toMatchObject({ homePageId: null, pageCount: 0 });
  });

  it('of another site of the workspace is not found', async () => {
    const other = await addSite(workspace);
    expect((await asAdmin('GET', pathOf(shown, other))).status).toBe(404);
    expect((await asAdmin('PUT', pathOf(shown, other), { title: 'x' })).status).toBe(404);
    expect((await asAdmin('DELETE', pathOf(shown, other))).status).toBe(404);
  });
});

describe('the list of pages', () => {
  it('has summaries, by status and by a part of a slug or a title in any locale', async () => {
    const of = await addSite(workspace);
    const [one, two] = [await newPage({ title: 'Visits' }, of), await newPage({ title: 'Costs' }, of)];
    await publish(two, of);
    await asAdmin('PUT', `${pathOf(one, of)}/documents/de-DE`, { title: 'Termine' });
    const listed = async (query: string) =>
      (await asAdmin('GET', `${pagesOf(of)}?${query}`)).body.items.map(({ slug }: { slug: string }) => slug);
    expect(await listed('sortBy=slug')).toEqual(['costs', 'visits']);
    expect(await listed('status=draft')).toEqual(['visits']);
    expect(await listed('status=published')).toEqual(['costs']);
    expect(await listed('status=scheduled')).toEqual([]);
    expect(await listed('search=ermin')).toEqual(['visits']);
    expect(await listed('search=%25')).toEqual([]);
    const { body } = await asAdmin('GET', pagesOf(of));
    expect(body.items[0]).not.toHaveProperty('contentHtml');
  });
});

describe('what visitors read', () => {
  it('is what was published, and not what editors have written since', async () => {
    const page = await newPage({
      slug: `read-${randomTag()}`.toLowerCase(),
      contentBlocks: oneParagraph('first'),
    });
    expect((await read(page.slug)).status).toBe(404);
    await publish(page);
    await asAdmin('PUT', pathOf(page), { title: 'Second', contentBlocks: oneParagraph('second') });

    const { status, body } = await read(page.slug);
    expect([status, body]).toEqual([
      200,
      {
        id: page.id,
        slug: page.slug,
        title: page.title,
        content: '<p>first</p>',
        contentBlocks: page.contentBlocks,
        metaDescription: null,
        status: 'published',
        locale: 'en-US',
        primaryLocale: 'en-US',
        availableLocales: ['en-US'],
        createdAt: page.createdAt,
        updatedAt: expect.any(String),
      },
    ]);
    expect((await read(page.id)).body).toEqual(body);
    expect((await asAdmin('GET', pathOf(page))).body).toMatchObject({
      status: 'published',
      title: 'Second',
      hasUnpublishedChanges: true,
    });
    expect((await publish(page)).body).toMatchObject({ hasUnpublishedChanges: false });
    expect((await read(page.slug)).body).toMatchObject({ title: 'Second', content: '<p>second</p>' });
  });

  it('is told in lists for each locale', async () => {
    const page = await newPage();
    const documents = async () =>
      (await asAdmin('GET', `${pagesOf(site)}?search=${page.slug}`)).body.items[0].documents;
    expect(await documents()).toEqual([{ locale: 'en-US', state: 'draft' }]);
    await publish(page);
    await asAdmin('PUT', `${pathOf(page)}/documents/de-DE`, { title: 'Willkommen' });
    expect(await documents()).toEqual([
      { locale: 'de-DE', state: 'draft' },
      { locale: 'en-US', state: 'published' },
    ]);
    await publish(page);
    await asAdmin('PUT', `${pathOf(page)}/documents/de-DE`, { title: 'Guten Tag' });
    expect(await documents()).toEqual([
      { locale: 'de-DE', state: 'changed' },
      { locale: 'en-US', state: 'published' },
    ]);
  });

  it('is gone once the page is withdrawn', async () => {
    const page = await newPage();
    await publish(page);
    const withdrawn = await asAdmin('POST', `${pathOf(page)}/unpublish`);
    expect(withdrawn.body).toMatchObject({ status: 'draft', publishedAt: null });
    expect((await read(page.slug)).status).toBe(404);
    await publish(page);
    expect((await read(page.slug)).status).toBe(200);
  });

  it('is found by earlier slugs, which answer with the one of today', async () => {
    const of = await addSite(workspace);
    const page = await newPage({ slug: 'first' }, of);
    await publish(page, of);
    for (const slug of ['second', 'third']) await asAdmin('PUT', pathOf(page, of), { slug });
    for (const slug of ['first', 'second', 'third'])
      expect((await read(slug, { of })).body).toMatchObject({ id: page.id, slug: 'third' });

    const other = await newPage({ slug: 'first' }, of);
    expect((await read('first', { of })).status).toBe(404);
    await publish(other, of);
    expect((await read('first', { of })).body.id).toBe(other.id);
    // Back to an earlier slug of its own.
    expect((await asAdmin('PUT', pathOf(page, of), { slug: 'second' })).body.slug).toBe('second');
    expect((await read('third', { of })).body).toMatchObject({ id: page.id, slug: 'second' });
  });

  it('is in the locale asked for, else in the primary one', async () => {
    const of = await addSite(workspace);
    const page = await newPage({ slug: 'hours', title: 'Hours' }, of);
    await publish(page, of);
    const german = `${pathOf(page, of)}/documents/de-DE`;
    await asAdmin('PUT', german, { title: 'Zeiten', contentBlocks: oneParagraph('auf') });
    const title = async (locale: string) =>
      (await read('hours', { of, query: `?locale=${locale}` })).body.title;
    expect(await title('de-DE')).toBe('Hours');
    await publish(page, of);
    expect(await title('de-DE')).toBe('Zeiten');
    expect(await title('de-de')).toBe('Zeiten');
    for (const other of ['fr-FR', 'de', 'x', '../en']) expect(await title(other)).toBe('Hours');
    expect((await read('hours', { of })).body).toMatchObject({ availableLocales: ['de-DE', 'en-US'] });

    // The site gives the locale up.
    await workspace.within((tx) =>
      tx('sites')
        .where({ id: of.id })
        .update({ available_locales: ['en-US'] }),
    );
    expect(await title('de-DE')).toBe('Hours');
    expect((await read('hours', { of })).body).toMatchObject({ availableLocales: ['en-US'] });
  });

  it('of a page without the primary locale of the site is its first one', async () => {
    const page = await newPage({ title: 'Nur deutsch', locale: 'de-DE' });
    await publish(page);
    expect((await read(page.slug)).body).toMatchObject({ locale: 'de-DE', primaryLocale: 'de-DE' });
  });

  it('of a site that is not public is for its members', async () => {
    const of = await addSite(workspace, { isPublic: false });
    const page = await newPage({}, of);
    await publish(page, of);
    expect((await read(page.slug, { of })).status).toBe(404);
    expect((await read(page.slug, { of, apiKey: workspace.member.apiKey })).status).toBe(200);
    expect((await read(page.slug, { of, apiKey: otherWorkspace.admin.apiKey })).status).toBe(404);
  });

  it('is not found in another workspace, or without a site', async () => {
    const page = await newPage();
    await publish(page);
    const path = (workspaceUuid: string, siteUuid: string) =>
      api.request('GET', `/s/${workspaceUuid}/${siteUuid}/pages/${page.slug}`);
    expect((await path(otherWorkspace.workspaceUuid, site.uuid)).status).toBe(404);
    expect((await path(workspace.workspaceUuid, workspace.workspaceUuid)).status).toBe(404);
    expect((await path(workspace.workspaceUuid.toUpperCase(), site.uuid.toUpperCase())).status).toBe(200);
  });

  it.each(['nobody', '0', '99999999999999', '9'.repeat(30), '%F0%9F%98%80', '..%2F..', "'--"])(
    'is not found at %s',
    async (slug) => {
      expect((await read(slug)).status).toBe(404);
    },
  );

  it('has an ETag, which changes when it is published again', async () => {
    const page = await newPage();
    await publish(page);
    const etag = (await read(page.slug)).headers.get('etag') ?? '';
    const again = () =>
      api.request('GET', `/s/${workspace.workspaceUuid}/${site.uuid}/pages/${page.slug}`, {
        headers: { 'If-None-Match': etag },
      });
    expect((await again()).status).toBe(304);
    await asAdmin('PUT', pathOf(page), { title: 'Other' });
    expect((await again()).status).toBe(304);
    await publish(page);
    expect((await again()).status).toBe(200);
  });
});

describe('a preview', () => {
  it('shows what editors have, to members who may read drafts', async () => {
    const page = await newPage({ contentBlocks: oneParagraph('draft') });
    const preview = (apiKey?: string) =>
      read(page.slug, { query: '?preview=true', ...(apiKey !== undefined && { apiKey }) });
    const { body } = await preview(workspace.admin.apiKey);
    expect(body).toMatchObject({ id: page.id, status: 'draft', content: '<p>draft</p>', locale: 'en-US' });
    const editor = await addMember(workspace, { permissions: ['sites:read'] });
    expect((await preview(editor.apiKey)).status).toBe(200);
    expect(await preview(workspace.member.apiKey)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await preview()).toMatchObject({ status: 401 });
    expect((await preview(otherWorkspace.admin.apiKey)).status).toBe(401);
    expect((await read(page.slug, { query: '?preview=false' })).status).toBe(404);
  });

  it('is in the locale asked for, also where that is not published', async () => {
    const page = await newPage();
    await publish(page);
    await asAdmin('PUT', `${pathOf(page)}/documents/de-DE`, { title: 'Entwurf' });

    const { body } = await read(page.id, {
      query: '?preview=true&locale=de-DE',
      apiKey: workspace.admin.apiKey,
    });
    expect(body).toMatchObject({ title: 'Entwurf', locale: 'de-DE', status: 'published' });
    expect((await asMember('GET', pathOf(page))).status).toBe(403);
  });
});
