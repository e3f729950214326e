import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class SiteVersionModel extends identityTable('site_versions', {
  siteUuid: column<string>(),
  workspaceId: column<number>(),
  siteId: column<number>(),
  /** Rises with whatever visitors see of the site. Triggers of the database raise it. */
  version: column<number>(),
}) {}

export type SiteVersionRow = RowOf<SiteVersionModel>;
