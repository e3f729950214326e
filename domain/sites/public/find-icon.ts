import type { FileRow } from '../../../db/files/files.js';
import { findIconIn } from '../../../db/files/site-files.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { ShownSite } from './show-site.js';

/** The picture that is the icon of a site by its name, directly in the folder of its assets and not private; undefined: there is none. */
export async function findSiteIcon(
  { db }: Pick<ServiceContext, 'db'>,
  { site: { workspaceId, assetsFolderId } }: ShownSite,
): Promise<FileRow | undefined> {
  if (assetsFolderId === null) return undefined;
  return db.readInWorkspace(workspaceId, (tx) => findIconIn(tx, assetsFolderId));
}
