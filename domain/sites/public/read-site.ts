import type { VisitContext } from '../../kernel/context.js';
import { type SiteView, viewSite } from '../sites/site-view.js';
import { requireVisibleSite } from './visible-site.js';

/** A public site, or one of the member's workspace. @throws NotFound */
export async function readSite(context: VisitContext, siteUuid: string): Promise<SiteView> {
  return viewSite(context, (tx) => requireVisibleSite(tx, context, siteUuid));
}
