import { insertSite, type SiteRow, type SiteValues } from '../../../db/sites/sites.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

/** A public site with the locales en-US and de-DE, unless `values` says otherwise. */
export async function addSite(
  { database, workspaceId }: Pick<TestWorkspace, 'database' | 'workspaceId'>,
  values: SiteValues = {},
): Promise<SiteRow> {
  const tag = randomTag();
  return database.inWorkspace(workspaceId, (tx) =>
    insertSite(tx, {
      name: `Site ${tag}`,
      slug: `site-${tag}`.toLowerCase(),
      isPublic: true,
      availableLocales: ['en-US', 'de-DE'],
      ...values,
    }),
  );
}

/** A document of one paragraph. */
export const oneParagraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});
