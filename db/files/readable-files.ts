import { raw, type Sql, sql } from '../sql.js';

/** Who reads files or folders. */
export interface FileReader {
  memberId: number;
  /** Whether the permission `files:read` is in force. */
  readsAll: boolean;
}

/** The condition that the reader sees a folder, which its access and its owner alone decide about. */
export function folderSeenBy({ memberId, readsAll }: FileReader): Sql {
  if (readsAll) return raw('true');
  return sql`(folders.owner_member_id = ${memberId} or folders.access <> 'private')`;
}
