import { beforeEach, describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../../db/sites/sites.js';
import { menuLimits } from '../../../../domain/sites/menus/menu-items.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addSite } from '../../../support/sites/add-site.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

interface Item {
  id: number;
  label: string;
  position: number;
  pageTitle: string | null;
  children: Item[];
}

let site: SiteRow;
beforeEach(async () => {
  site = await addSite(workspace);
});

const menuOf = (of = site) => `/sites/${of.id}/menu`;
const add = (values: object) =>
  asAdmin('POST', `${menuOf()}/items`, { label: 'Item', itemType: 'none', ...values });
async function added(label: string, values: object = {}): Promise<Item> {
  const { status, body } = await add({ label, ...values });
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}
const change = (item: { id: number }, values: object) =>
  asAdmin('PUT', `${menuOf()}/items/${item.id}`, values);
const tree = async (path = menuOf()): Promise<Item[]> => (await asAdmin('GET', path)).body.items;
const labels = (items: Item[]): unknown[] =>
  items.map(({ label, children }) => (children.length === 0 ? label : [label, labels(children)]));
const readMenu = (apiKey?: string, of = site) =>
  api.request('GET', `/s/${workspace.workspaceUuid}/${of.uuid}/menu`, apiKey === undefined ? {} : { apiKey });
const newPage = async (title: string) => (await asAdmin('POST', `/sites/${site.id}/pages`, { title })).body;

describe('a menu item', () => {
  it('has what was said of it, and of its page', async () => {
    const page = await newPage('Hours');
    const values = {
      label: 'When',
      itemType: 'page',
      pageId: page.id,
      icon: 'clock',
      cssClass: 'wide first',
      target: '_blank',
      isActive: false,
      translations: { 'de-DE': 'Wann' },
    };
    const item = await added('When', values);
    expect(item).toEqual({
      ...values,
      id: expect.any(Number),
      siteId: site.id,
      position: 0,
      pageSlug: 'hours',
      pageTitle: 'Hours',
      url: null,
      parentId: null,
      children: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await tree()).toEqual([item]);
  });

  it.each([
    ['an unknown type', { itemType: 'video' }, ['/itemType']],
    ['a page without an id', { itemType: 'page' }, ['/pageId']],
    ['a page that does not exist', { itemType: 'page', pageId: 987_654_321 }, ['/pageId']],
    ['an address in a heading', { url: 'https://example.org/' }, ['/url']],
    ['an address that is missing', { itemType: 'url' }, ['/url']],
    ['an address that runs a script', { itemType: 'url', url: 'javascript:alert(1)' }, ['/url']],
    ['an address of data', { itemType: 'url', url: 'data:text/html,x' }, ['/url']],
    ['an address of another host, without a scheme', { itemType: 'url', url: '//example.org' }, ['/url']],
    ['a class with markup', { cssClass: 'x" onclick="' }, ['/cssClass']],
    ['an icon with markup', { icon: '<svg>' }, ['/icon']],
    ['another target', { target: 'top' }, ['/target']],
    ['a translation into no language', { translations: { xx_1: 'x' } }, ['/translations/xx_1']],
    ['a blank translation', { translations: { 'de-DE': ' ' } }, ['/translations/de-DE']],
    ['a parent that does not exist', { parentId: 987_654_321 }, ['/parentId']],
    ['no label', { label: '' }, ['/label']],
  ])('is refused with %s', async (_, values, pointers) => {
    const { status, body } = await add(values);
    expect([status, pointersOf(body)]).toEqual([400, pointers]);
  });

  it('of a page of another site, or a parent of one, is refused', async () => {
    const page = await newPage('Elsewhere');
    const heading = await added('Heading');
    site = await addSite(workspace);
    expect(pointersOf((await add({ itemType: 'page', pageId: page.id })).body)).toEqual(['/pageId']);
    expect(pointersOf((await add({ parentId: heading.id })).body)).toEqual(['/parentId']);
    expect((await change(heading, { label: 'x' })).status).toBe(404);
  });

  it('of another type drops what belonged to the earlier one', async () => {
    const item = await added('Link', { itemType: 'url', url: 'https://example.org/' });
    expect((await change(item, { itemType: 'products' })).body).toMatchObject({
      itemType: 'products',
      url: null,
    });
    expect((await change(item, { label: 'Shop' })).body).toMatchObject({
      itemType: 'products',
      label: 'Shop',
    });
  });
});

describe('the order of a menu', () => {
  it('is that of the positions, which are made without gaps', async () => {
    const [a, b] = [await added('a'), await added('b')];
    await added('c', { position: 0 });
    await added('d', { position: 1 });
    expect(labels(await tree())).toEqual(['c', 'd', 'a', 'b']);
    await change(b, { position: 0 });
    await change(a, { position: 200 });
    const items = await tree();
    expect(labels(items)).toEqual(['b', 'c', 'd', 'a']);
    expect(items.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
  });

  it('is a tree, whose items move with all below them', async () => {
    const [a, b] = [await added('a'), await added('b')];
    const below = await added('below', { parentId: a.id });
    await added('deep', { parentId: below.id });
    expect(labels(await tree())).toEqual([['a', [['below', ['deep']]]], 'b']);
    await change(below, { parentId: b.id, position: 0 });
    expect(labels(await tree())).toEqual(['a', ['b', [['below', ['deep']]]]]);
    expect((await asAdmin('DELETE', `${menuOf()}/items/${b.id}`)).status).toBe(204);
    expect(labels(await tree())).toEqual(['a']);
  });

  it('has no circle, also when two moves meet', async () => {
    const [a, b] = [await added('a'), await added('b')];
    expect(pointersOf((await change(a, { parentId: a.id })).body)).toEqual(['/parentId']);
    const answers = await Promise.all([change(a, { parentId: b.id }), change(b, { parentId: a.id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await tree())[0]?.children).toHaveLength(1);
  });

  it('has three levels, also after a move of several', async () => {
    const [a, b] = [await added('a'), await added('b')];
    const below = await added('below', { parentId: a.id });
    const deep = await added('deep', { parentId: below.id });
    expect(pointersOf((await add({ parentId: deep.id })).body)).toEqual(['/parentId']);
    expect(pointersOf((await change(a, { parentId: b.id })).body)).toEqual(['/parentId']);
    expect((await change(below, { parentId: b.id })).status).toBe(200);
  });

  it('has as many items as allowed', async () => {
    const item = { item_type: 'none', label: 'x', site_id: site.id, workspace_id: workspace.workspaceId };
    await workspace.within((tx) =>
      tx('site_menu_items').insert(
        Array.from({ length: menuLimits.items }, (_, position) => ({ ...item, position })),
      ),
    );
    expect(await add({})).toMatchObject({ status: 409, body: { code: 'too_many_menu_items' } });
  });

  it('refuses a change from an older ETag', async () => {
    const item = await added('a');
    const { apiKey } = workspace.admin;
    const path = workspace.path(`${menuOf()}/items/${item.id}`);
    const headers = { 'If-Match': (await api.request('GET', path, { apiKey })).headers.get('etag') ?? '' };
    const rename = (label: string) => api.request('PUT', path, { apiKey, headers, body: { label } });
    expect((await rename('b')).status).toBe(200);
    expect((await rename('c')).status).toBe(412);
  });
});

describe('what visitors see of a menu', () => {
  it('is what is active, and of pages those that are published', async () => {
    const page = await newPage('Draft');
    await added('page', { itemType: 'page', pageId: page.id });
    const heading = await added('heading');
    await added('link', { itemType: 'url', url: '/contact', parentId: heading.id });
    const hidden = await added('hidden', { isActive: false });
    await added('below hidden', { parentId: hidden.id });

    const seen = async () => labels((await readMenu()).body.items);
    expect(await seen()).toEqual([['heading', ['link']]]);
    await asAdmin('POST', `/sites/${site.id}/pages/${page.id}/publish`);
    await asAdmin('PUT', `/sites/${site.id}/pages/${page.id}`, { title: 'Not yet told' });
    expect(await seen()).toEqual(['page', ['heading', ['link']]]);
    expect((await readMenu()).body.items[0]).toMatchObject({ pageSlug: 'draft', pageTitle: 'Draft' });
    expect((await tree())[0]).toMatchObject({ pageTitle: 'Not yet told' });
  });

  it('loses the items of a page that is deleted; those with others below stay as headings', async () => {
    const page = await newPage('Gone');
    await asAdmin('POST', `/sites/${site.id}/pages/${page.id}/publish`);
    const ofPage = { itemType: 'page', pageId: page.id };
    await added('alone', ofPage);
    const above = await added('above', ofPage);
    await added('below', { parentId: above.id });
    await asAdmin('DELETE', `/sites/${site.id}/pages/${page.id}`);
    expect(labels((await readMenu()).body.items)).toEqual([['above', ['below']]]);
  });

  it('of a site that is not public is for members', async () => {
    const hidden = await addSite(workspace, { isPublic: false });
    expect((await readMenu(undefined, hidden)).status).toBe(404);
    expect((await readMenu(otherWorkspace.admin.apiKey, hidden)).status).toBe(404);
    expect(await readMenu(workspace.member.apiKey, hidden)).toMatchObject({
      status: 200,
      body: { siteId: hidden.id, items: [] },
    });
  });
});
