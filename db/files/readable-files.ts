import { raw, type Sql, sql } from '../sql.js';

/*
 * Who reads which files and folders, as conditions (docs/decisions/0111-who-may-see-a-file.md). `search_passages`
 * (migration 0064) has the same rule, and `shared-files.ts` the one of visitors.
 */

/** Who reads files or folders. */
export interface FileReader {
  memberId: number;
  /** Whether the permission `files:read` is in force. */
  readsAll: boolean;
}

/**
 * The condition that the reader may read a file, for look-ups by id. The `limit` makes PostgreSQL look up the file among
 * the attachments, instead of reading all that are the reader's.
 */
export function fileReadableBy({ memberId, readsAll }: FileReader): Sql {
  return sql`(${readsAll}::boolean or files.owner_member_id = ${memberId} or files.access <> 'private'
    or (select true from file_attachments attached
      where attached.file_id = files.id and attached.member_id = ${memberId} limit 1))`;
}

/**
 * The same condition for lists. The attachments are read once and not for each file, so that each part can use an index of
 * its own, and none is needed where a filter leaves few files.
 */
export function filesReadableBy({ memberId, readsAll }: FileReader): Sql {
  if (readsAll) return raw('true');
  return sql`(files.owner_member_id = ${memberId} or files.access <> 'private'
    or files.id = any(array(select attached.file_id from file_attachments attached
      where attached.member_id = ${memberId})))`;
}

/** The condition that the reader sees a folder, which its access and its owner alone decide about. */
export function folderSeenBy({ memberId, readsAll }: FileReader): Sql {
  if (readsAll) return raw('true');
  return sql`(folders.owner_member_id = ${memberId} or folders.access <> 'private')`;
}
