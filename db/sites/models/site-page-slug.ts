import { column, tenantTable } from '../../lib/table.js';

/** A slug that a page had before, which still leads to it. */
export class SitePageSlugModel extends tenantTable('site_page_slugs', {
  siteId: column<number>(),
  pageId: column<number>(),
  /** Unique in the site. */
  slug: column<string>('configuration'),
  createdAt: column<Date>(),
}) {}
