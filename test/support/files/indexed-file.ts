import { type PageOfPassages, replacePassages } from '../../../db/files/file-passages.js';
import type { FileAccess } from '../../../db/files/models/file.js';
import { statement } from '../../../db/statement.js';
import type { TestWorkspace } from '../workspace/factories.js';

interface IndexedFile {
  pages: readonly PageOfPassages[];
  ownerMemberId?: number | null;
  access?: FileAccess;
  folderId?: number | null;
  title?: string;
  state?: string;
  mimeType?: string;
}

/** Inserts a file with one version, and its passages. @returns the ids of both */
export async function insertIndexedFile(
  { database, workspaceId }: Pick<TestWorkspace, 'database' | 'workspaceId'>,
  file: IndexedFile,
): Promise<{ fileId: number; versionId: number }> {
  return database.inWorkspace(workspaceId, async (tx) => {
    const [inserted] = await statement<{ fileId: number; versionId: number }>(
      tx,
      `with object as (
         insert into stored_objects (workspace_id, bytes, sha256, mime_type, state)
         values (?, 100, decode(repeat('00', 32), 'hex'), 'text/plain', 'stored') returning id
       ), file as (
         insert into files (workspace_id, title, filename, mime_type, kind, file_size, current_version_id,
           owner_member_id, access, folder_id)
         values (?, ?, 'file.txt', ?, 'document', 100, 0, ?, ?, ?) returning id
       )
       insert into file_versions (workspace_id, file_id, number, object_id, filename, mime_type, kind, file_size,
         indexing_state)
       select ?, file.id, 1, object.id, 'file.txt', ?, 'document', 100, ? from file, object
       returning file_id as "fileId", id as "versionId"`,
      [
        workspaceId,
        workspaceId,
        file.title ?? 'File',
        file.mimeType ?? 'text/plain',
        file.ownerMemberId ?? null,
        file.access ?? 'workspace',
        file.folderId ?? null,
        workspaceId,
        file.mimeType ?? 'text/plain',
        file.state ?? 'indexed',
      ],
    );
    if (inserted === undefined) throw new Error('no file was inserted');
    await statement(tx, 'update files set current_version_id = ? where id = ?', [
      inserted.versionId,
      inserted.fileId,
    ]);
    if (file.pages.length > 0) {
      await replacePassages(tx, { id: inserted.versionId, fileId: inserted.fileId }, file.pages, 'simple');
    }
    return inserted;
  });
}

/** One page of one passage. */
export function page(...passages: string[]): PageOfPassages[] {
  return [{ page: 1, passages }];
}
