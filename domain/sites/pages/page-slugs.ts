import { takenSlugs } from '../../../db/sites/site-pages.js';
import type { Tx } from '../../../db/tx.js';
import { slugOfName } from '../../kernel/labels.js';
import { InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** With a letter: a number is the id of a page. */
export const pageSlugPattern = '^[0-9_-]*[a-z][a-z0-9_-]*$';

/** What addresses of sites mean otherwise. */
const reserved = ['api', 'assets', 'feed', 'widget'];

/** @throws InvalidInput */
export function checkPageSlug(slug: string): void {
  if (reserved.includes(slug)) throw InvalidInput.field('/slug', `must be none of ${reserved.join(', ')}`);
}

/** A slug for a page with this title that no page of the site has. @throws InvalidInput if the title has no letters for one */
export async function slugOfTitle(tx: Tx, siteId: number, title: string): Promise<string> {
  const named = slugOfName(title);
  const slug = /[a-z]/.test(named) ? named : `page-${named}`;
  const taken = await takenSlugs(tx, siteId, slug);
  if (!taken.has(slug) && !reserved.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const other = `${slug}-${number}`;
    if (!taken.has(other)) return other;
  }
}

export const reportingTakenPageSlug = mappingUniqueViolation({
  constraint: 'site_pages_workspace_id_site_id_slug_key',
  pointer: '/slug',
  message: 'Another page of the site has this slug.',
});
