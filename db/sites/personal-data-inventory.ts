import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { AssignmentPageModel } from './models/assignment-page.js';
import { PagePassageModel } from './models/page-passage.js';
import { SiteModel } from './models/site.js';
import { SiteCrawlModel } from './models/site-crawl.js';
import { SiteCrawlUrlModel } from './models/site-crawl-url.js';
import { SiteMenuItemModel } from './models/site-menu-item.js';
import { SitePageModel } from './models/site-page.js';
import { SitePageDocumentModel } from './models/site-page-document.js';
import { SitePageRevisionModel } from './models/site-page-revision.js';
import { SitePageSlugModel } from './models/site-page-slug.js';

/** What the tables of this area hold of a person. */
export const sitesTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: AssignmentPageModel,
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
    PagePassageModel,
    SitePageRevisionModel,
    SitePageSlugModel,
    SiteMenuItemModel,
  ],
};
