import { type PersonTables, tableWithoutModel } from '../lib/person-data.js';
import { SiteModel } from './models/site.js';
import { SiteCrawlModel } from './models/site-crawl.js';
import { SiteCrawlUrlModel } from './models/site-crawl-url.js';
import { SiteMenuItemModel } from './models/site-menu-item.js';
import { SitePageModel } from './models/site-page.js';
import { SitePageDocumentModel } from './models/site-page-document.js';
import { SitePageRevisionModel } from './models/site-page-revision.js';

/** What the tables of this area hold of a person. */
export const sitesTables: PersonTables = {
  aboutMembers: [
    {
      model: tableWithoutModel('assignment_pages', {
        other: 'id workspace_id assignment_id page_id attached_by_member_id created_at',
      }),
      about: 't.assignment_id in (select id from assignments where member_id = :member)',
      exported: { file: 'assignment-pages' },
      erased: { by: 'delete' },
    },
  ],
  others: [
    SiteModel,
    SitePageModel,
    SiteCrawlModel,
    SiteCrawlUrlModel,
    SitePageDocumentModel,
    tableWithoutModel('page_passages', {
      configuration: 'text tsv',
      code: 'language',
      other: 'id workspace_id site_id page_id document_id ordinal',
    }),
    SitePageRevisionModel,
    tableWithoutModel('site_page_slugs', {
      configuration: 'slug',
      other: 'id workspace_id site_id page_id created_at',
    }),
    SiteMenuItemModel,
  ],
};
