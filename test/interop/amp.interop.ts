import { afterAll, beforeAll, expect, it } from 'vitest';
import { siteThemes } from '../../api/resources/sites/sites/schemas.js';
import { startApi, type TestApi } from '../support/api/api.js';
import { callAs } from '../support/api/call-as.js';
import { addPublishedPage } from '../support/sites/add-published-page.js';
import { addSite } from '../support/sites/add-site.js';
import { askSite } from '../support/sites/ask-site.js';
import { mapDomain } from '../support/sites/map-domain.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';
import { type AmpValidator, startAmpValidator } from './support/amp-validator.js';

const { database, workspace } = useWorkspace({ storesEvents: false });
let api: TestApi;
let validator: AmpValidator;
beforeAll(async () => {
  [api, validator] = await Promise.all([startApi(database.database), startAmpValidator()]);
});
afterAll(() => api?.close());

const asAdmin = (...call: Parameters<ReturnType<typeof callAs>>) =>
  callAs(api, workspace, workspace.admin)(...call);
/** AMP is at domains of sites alone. */
const pageOf = async (host: string, path: string) =>
  (await askSite(api.baseUrl, path, { headers: { host } })).text;
function problemsOf(text: string): string[] {
  const { status, errors } = validator.validateString(text);
  const found = errors.map(({ severity, line, message }) => `${severity} in line ${line}: ${message}`);
  return status === 'PASS' ? found : [status, ...found];
}

const node = (type: string, content: object[] = [], attrs: object = {}) => ({
  type,
  attrs,
  ...(content.length === 0 ? {} : { content }),
});
const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks });
const mark = (type: string, attrs: object = {}) => ({ type, attrs });
const p = (...content: object[]) => node('paragraph', content);
const link = (href: string, attrs: object = {}) => text(href, mark('link', { href, ...attrs }));

/** Everything that a document can have (docs/site-pages.md). */
const contentBlocks = node('doc', [
  ...[1, 2, 3, 4, 5, 6].map((level) => node('heading', [text(`Heading ${level}`)], { level })),
  ...['left', 'center', 'right', 'justify'].map((textAlign) => node('paragraph', [text('x')], { textAlign })),
  p(
    ...['bold', 'italic', 'strike', 'underline', 'highlight', 'subscript', 'superscript', 'code'].map((one) =>
      text(one, mark(one)),
    ),
    node('hardBreak'),
    text('<script>alert(1)</script> {{ x }} & "quoted"'),
  ),
  p(
    link('https://example.org/?a=1&b=2', { target: '_blank', title: 'A "title"' }),
    link('http://example.org/'),
    link('mailto:clinic@example.org'),
    link('tel:+15550100'),
    link('/about'),
    link('#fragment'),
  ),
  node('bulletList', [
    node('listItem', [p(text('one')), node('orderedList', [node('listItem', [p(text('two'))])])]),
  ]),
  ...['1', 'a', 'A', 'i', 'I'].map((type) =>
    node('orderedList', [node('listItem', [p(text('x'))])], { start: 3, type }),
  ),
  node('taskList', [
    node('taskItem', [p(text('done'))], { checked: true }),
    node('taskItem', [p(text('open'))], { checked: false }),
  ]),
  node('blockquote', [p(text('quoted'))]),
  node('horizontalRule'),
  node('codeBlock', [text('const x = "<amp-script>";')], { language: 'typescript' }),
  node('image', [], { src: 'https://example.org/a.png', alt: 'With a size', width: 640, height: 480 }),
  node('image', [], { src: 'https://example.org/a.png', alt: null, title: 'Without a size' }),
  node('image', [], { src: '/api/v2/docs/icon.svg', alt: 'With a height', height: 64 }),
  node('image', [], { src: '/api/v2/docs/icon.svg', alt: 'With a width', width: 64 }),
  node('table', [
    node('tableRow', [
      node('tableHeader', [p(text('head'))], { colspan: 2, colwidth: [100, 200] }),
      node('tableCell', [p(text('cell'))], { rowspan: 2, align: 'right' }),
    ]),
    node('tableRow', [node('tableCell', [p(text('cell'))]), node('tableCell', [p(text('cell'))])]),
  ]),
  node('details', [node('detailsSummary', [text('more')]), node('detailsContent', [p(text('inside'))])], {
    open: true,
  }),
  node('details', [node('detailsSummary', [text('more')]), node('detailsContent', [p(text('inside'))])]),
]);

async function addClinic(values: object = {}) {
  const site = await addSite(workspace, { name: 'North & "South" <clinic>', tagLine: 'For all', ...values });
  const page = await addPublishedPage(
    asAdmin,
    site.id,
    { title: 'Everything </title>', slug: 'everything', metaDescription: 'All "of" it <b>', contentBlocks },
    { 'de-DE': 'Alles' },
  );
  const items = `/sites/${site.id}/menu/items`;
  const heading = await asAdmin('POST', items, {
    label: 'About',
    itemType: 'none',
    icon: 'home',
    cssClass: 'wide',
  });
  for (const values of [
    { label: 'Page', itemType: 'page', pageId: page.id, parentId: heading.body.id },
    { label: 'Partner', itemType: 'url', url: 'https://partner.example/', target: '_blank' },
    { label: 'Products', itemType: 'products' },
  ])
    expect((await asAdmin('POST', items, values)).status).toBe(201);
  return { ...site, domain: await mapDomain(workspace, site.id) };
}

it('a page with everything that a document can have is valid, in each theme and locale', async () => {
  for (const theme of siteThemes) {
    const site = await addClinic({ theme, googleAnalyticsId: 'G-ABC1234' });
    for (const locale of ['en-US', 'de-DE']) {
      const shown = await pageOf(site.domain, `/everything?amp=1&locale=${locale}`);
      expect(shown).toContain('<html amp');
      expect([theme, locale, problemsOf(shown)]).toEqual([theme, locale, []]);
    }
  }
});

it('a page with the logo of an organization is valid', async () => {
  const site = await addClinic();
  const { organizations } = database.database.identity;
  const { workspaceId, admin } = workspace;
  await database.database.inIdentity(async (tx, within) => {
    const now = new Date();
    const values = { name: 'Group', slug: `group-${site.id}`, createdAt: now, updatedAt: now };
    const group = await organizations.insert({ ...values, createdByAccountId: admin.accountId }, tx);
    if (group === undefined) throw new Error('no organization was made');
    await organizations.update(group.id, { logoWorkspaceId: workspaceId, logoFileId: 1, updatedAt: now }, tx);
    await within.inWorkspace(workspaceId, (inside) =>
      organizations.setOfWorkspace(group.id, 'inside', inside),
    );
  });
  const shown = await pageOf(site.domain, '/everything?amp=1');
  expect(shown).toContain('<amp-img class="logo');
  expect(problemsOf(shown)).toEqual([]);
});

it('a page that is not AMP is found to be none', async () => {
  const site = await addClinic();
  expect(problemsOf(await pageOf(site.domain, '/everything'))).toContain('FAIL');
  const shown = await pageOf(site.domain, '/everything?amp=1');
  expect(
    problemsOf(shown.replace('</main>', '<iframe src="https://example.org/"></iframe></main>')).join(),
  ).toMatch(/iframe/);
});
