import type { Sql } from '../sql.js';

/*
 * Who reads which files and folders, as conditions (docs/decisions/0111-who-may-see-a-file.md). The function
 * `best_file_passages` has the same rule, and `shared-files.ts` the one of visitors.
 */

/** Who reads files or folders. */
export interface FileReader {
  memberId: number;
  /** Whether what every member may see is shown to it: to nobody, only what is public (docs/decisions/0223-who-is-nobody.md). */
  readsWorkspace: boolean;
  /** Whether the permission `files:read` is in force. */
  readsAll: boolean;
}

const fileReadable = `(?::boolean or files.owner_member_id = ?
    or files.access = 'public' or (?::boolean and files.access = 'workspace')
    or (select true from file_attachments attached
      where attached.file_id = files.id and attached.member_id = ? limit 1))`;

/**
 * The condition that the reader may read a file, for look-ups by id. The `limit` makes PostgreSQL look up the file among
 * the attachments, instead of reading all that are the reader's.
 */
export function fileReadableBy({ memberId, readsWorkspace, readsAll }: FileReader): Sql {
  return { text: fileReadable, bindings: [readsAll, memberId, readsWorkspace, memberId] };
}

/**
 * The same condition for lists. The attachments are read once and not for each file, so that each part can use an index of
 * its own, and none is needed where a filter leaves few files.
 */
export function filesReadableBy({ memberId, readsWorkspace, readsAll }: FileReader): Sql {
  if (readsAll) return everything;
  const text = `(files.owner_member_id = ? or ${shownToAll('files', readsWorkspace)}
    or files.id = any(array(select attached.file_id from file_attachments attached
      where attached.member_id = ?)))`;
  return { text, bindings: [memberId, memberId] };
}

/** The condition that the reader sees a folder, which its access and its owner alone decide about. */
export function folderSeenBy({ memberId, readsWorkspace, readsAll }: FileReader): Sql {
  if (readsAll) return everything;
  const text = `(folders.owner_member_id = ? or ${shownToAll('folders', readsWorkspace)})`;
  return { text, bindings: [memberId] };
}

const everything: Sql = { text: 'true', bindings: [] };

/** A text for each case, so that the index of what is not private is used. */
function shownToAll(table: 'files' | 'folders', readsWorkspace: boolean): string {
  return readsWorkspace ? `${table}.access <> 'private'` : `${table}.access = 'public'`;
}
