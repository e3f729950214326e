import type { EnteredTx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';

/**
 * Returns the file if it belongs to the site: by itself, or because it is in the folder of its assets or below it and not
 * private. @param levels that folders are deep at most
 */
export async function findSiteFile(
  tx: EnteredTx,
  id: number,
  site: { id: number; assetsFolderId: number | null },
  levels: number,
): Promise<FileRow | undefined> {
  const ofSite = `files.id = ? and (files.site_id = ?
    or (files.access <> 'private' and files.folder_id is not null and ?::bigint in (
      with recursive upwards as (
        select folders.id, folders.parent_folder_id, 1 as depth from folders where folders.id = files.folder_id
        union all
        select above.id, above.parent_folder_id, depth + 1
        from upwards join folders above on above.id = upwards.parent_folder_id where depth < ?
      ) select upwards.id from upwards)))`;
  return FileModel.first(tx, ofSite, [id, site.id, site.assetsFolderId, levels]);
}

/** The newest picture of a folder that is named as icons of sites are, by the names of the index `files_icons`. Private ones do not count. */
export async function findIconIn(tx: EnteredTx, folderId: number): Promise<FileRow | undefined> {
  return FileModel.first(
    tx,
    `files.folder_id = ? and files.filename in ('favicon.svg', 'favicon.png', 'favicon.gif', 'favicon.jpg')
       and files.access <> 'private' and files.kind = 'image'
     order by files.id desc`,
    [folderId],
  );
}
