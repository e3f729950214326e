import { waitFor } from '../../support/lib/wait-for.js';
import { oneParagraph } from '../../support/sites/add-site.js';
import { visit } from '../../support/sites/site-chat.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';
import type { Configured } from './configure.js';

/** Longer than the request takes while all the others are made. */
const publishedInMs = 5_000;

/** A public site with a page, which is published at a time, and a visitor who reads it and chats without signing in. */
export async function keepSite(stage: Stage, { workflowId }: Configured): Promise<void> {
  const admin = stage.as();
  const site = await admin('POST', '/sites', {
    name: planted('siteName'),
    tagLine: planted('siteTagLine'),
    metaDescription: planted('pageDescription'),
    content: planted('pageWords'),
    chatGreeting: planted('siteGreeting'),
    chatGreetingTranslations: { de: planted('siteGreeting') },
    isPublic: true,
    defaultWorkflowId: workflowId,
  });
  const path = `/sites/${site.id}`;
  await admin('PUT', `${path}/domain`, { domain: `${planted('siteDomain')}.example` });
  const page = await admin('POST', `${path}/pages`, {
    title: planted('pageTitle'),
    slug: planted('pageSlug'),
    metaDescription: planted('pageDescription'),
    contentBlocks: oneParagraph(planted('pageWords')),
  });
  const pagePath = `${path}/pages/${page.id}`;
  const publishAt = new Date(Date.now() + publishedInMs).toISOString();
  await admin('POST', `${pagePath}/publish`, { publishAt }, 200);
  const run = stage.system.run('publishPage', page.uuid);
  const { outcome } = await waitFor('the page is published', () => run.result());
  if (outcome !== 'published') throw new Error(`the page was not published: ${outcome}`);
  await admin('PUT', pagePath, { slug: `${planted('pageSlug')}-later` });
  await admin('PUT', `${pagePath}/documents/en-US`, { title: { not: planted('refused') } }, 400);
  await admin('POST', `${path}/menu/items`, {
    itemType: 'page',
    pageId: page.id,
    label: planted('menuLabel'),
    translations: { 'en-US': planted('menuLabel') },
  });
  await readInBrowser(stage, site.uuid);
  await chatAsVisitor(stage, site.uuid);
}

async function readInBrowser({ api }: Stage, siteUuid: string): Promise<void> {
  const address = `${api.baseUrl}/s/${siteUuid}`;
  const shown = await fetch(`${address}/${planted('pageSlug')}`);
  if (!(await shown.text()).includes(planted('pageWords'))) throw new Error('the page is not shown');
  const missing = await fetch(`${address}/${planted('refused')}`);
  if (missing.status !== 404) throw new Error(`a page that is not there: ${missing.status}`);
}

async function chatAsVisitor(stage: Stage, siteUuid: string): Promise<void> {
  const { model } = stage.system;
  await model.script([{ content: planted('visitorReply') }], planted('visitorWords'));
  const path = `/s/${stage.workspace.workspaceUuid}/${siteUuid}`;
  const visitor = await visit(stage.api, { path });
  stage.keepSecret('visitorToken', visitor.token);
  const written = await visitor.write(planted('visitorWords'));
  if (written.status >= 300) throw new Error(`the visitor was not heard: ${written.status}`);
  await visitor.write(planted('refused'), { files: [planted('refused')] });
  await waitFor('the visitor is answered', async () =>
    JSON.stringify((await visitor.request('GET', '/chat/messages')).body).includes(planted('visitorReply')),
  );
}
