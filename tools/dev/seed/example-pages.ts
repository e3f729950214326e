import { demo } from '../../../api/http/demo.js';
import { patchSite } from '../../../db/sites/sites.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createMenuItem } from '../../../domain/sites/menus/menu-items.js';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { listRevisions } from '../../../domain/sites/pages/revisions.js';
import { writeDocument } from '../../../domain/sites/pages/write-document.js';
import { expectId } from './expect-id.js';

const text = (...words: string[]) => words.map((word) => ({ type: 'text', text: word }));
const paragraph = (...words: string[]) => ({ type: 'paragraph', content: text(...words) });
const heading = (title: string) => ({ type: 'heading', attrs: { level: 2 }, content: text(title) });
const list = (...items: string[]) => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [paragraph(item)] })),
});
const document = (...content: object[]) => ({ type: 'doc', content });

/** Creates the pages and the menu of the demo site, which the examples name. */
export async function buildExamplePages(context: CommandContext, siteId: number): Promise<void> {
  const home = await createPage(context, siteId, {
    title: 'Welcome',
    slug: 'home',
    metaDescription: 'A clinic for the whole family, in the old town.',
    contentBlocks: document(
      paragraph('We look after the whole family, from the first check-up to the last vaccination.'),
      heading('What we do'),
      list('Check-ups and vaccinations', 'Small operations', 'Talks about what worries you'),
      heading('Write to us'),
      paragraph('Our assistant answers at once, day and night, and alerts a colleague where one is needed.'),
    ),
  });
  expectId('home page', home.page, demo.pageId);
  await writeDocument(context, siteId, home.page.id, {
    locale: 'de-DE',
    title: 'Willkommen',
    metaDescription: 'Eine Praxis für die ganze Familie, in der Altstadt.',
    contentBlocks: document(
      paragraph('Wir sind für die ganze Familie da, von der ersten Untersuchung bis zur letzten Impfung.'),
      heading('Was wir tun'),
      list('Untersuchungen und Impfungen', 'Kleine Operationen', 'Gespräche über das, was Sie bedrückt'),
      heading('Schreiben Sie uns'),
      paragraph('Unser Assistent antwortet sofort und ruft jemanden von uns, wo es nötig ist.'),
    ),
  });
  const hours = await createPage(context, siteId, {
    title: 'Opening hours',
    slug: 'hours',
    contentBlocks: document(paragraph('Monday to Friday, 8 to 18 o’clock.')),
  });
  expectId('page to unpublish', hours.page, demo.pageToUnpublish);
  await writeDocument(context, siteId, hours.page.id, {
    locale: 'de-DE',
    title: 'Öffnungszeiten',
    contentBlocks: document(paragraph('Montag bis Freitag, 8 bis 18 Uhr.')),
  });
  const draft = await createPage(context, siteId, { title: 'Prices of last year' });
  expectId('page to delete', draft.page, demo.pageToDelete);
  for (const { page } of [home, hours]) await publishPage(context, siteId, page.id);
  await context.db.inWorkspace(context.actor.workspaceId, (tx) =>
    patchSite(tx, siteId, { homePageId: home.page.id }),
  );
  const ref = { siteId, pageId: home.page.id, locale: demo.locale };
  const { items } = await listRevisions(context, ref, { page: 1, pageSize: 1 });
  expectId('revision of the home page', items[0] ?? { id: 0 }, demo.pageRevisionId);

  const start = await createMenuItem(context, siteId, {
    label: 'Welcome',
    itemType: 'page',
    pageId: home.page.id,
    translations: { 'de-DE': 'Willkommen' },
  });
  expectId('menu item', start.item, demo.menuItemId);
  const shop = await createMenuItem(context, siteId, {
    label: 'Shop',
    itemType: 'products',
    isActive: false,
  });
  expectId('menu item to delete', shop.item, demo.menuItemToDelete);
  await createMenuItem(context, siteId, {
    label: 'Opening hours',
    itemType: 'page',
    pageId: hours.page.id,
    translations: { 'de-DE': 'Öffnungszeiten' },
  });
}
