import type { QueryBuilder } from 'objection';
import type { Tx } from '../database.js';
import { raw, type Sql, sql } from '../sql.js';
import { FileModel } from './models/file.js';
import { FileAttachmentModel } from './models/file-attachment.js';

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

/** The condition that the reader may read one file, for a look-up by id. */
export function fileReadableBy({ memberId, readsAll }: FileReader): Sql {
  return sql`(${readsAll}::boolean or files.owner_member_id = ${memberId} or files.access <> 'private'
    or exists (select from file_attachments attached
      where attached.file_id = files.id and attached.member_id = ${memberId}))`;
}

/** The ids of what a member without the permission may read, for lists: a union, so that each part uses its own index. */
export function readableFileIds(tx: Tx, memberId: number): QueryBuilder<FileModel> {
  return FileModel.query(tx)
    .select('id')
    .where({ owner_member_id: memberId })
    .union(
      FileModel.query(tx).select('id').whereRaw(`access <> 'private'`),
      FileAttachmentModel.query(tx).select('file_id').where({ member_id: memberId }),
    );
}

/** The condition that the reader sees a folder, which its access and its owner alone decide about. */
export function folderSeenBy({ memberId, readsAll }: FileReader): Sql {
  if (readsAll) return raw('true');
  return sql`(folders.owner_member_id = ${memberId} or folders.access <> 'private')`;
}
