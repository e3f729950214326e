import type { LabelRow, LabelTable } from '../lib/labels.js';
import { changedBy, prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { FileLabelLinkModel, FileLabelModel } from './models/file-label.js';

export const fileLabelTable: LabelTable = {
  model: FileLabelModel,
  noun: 'file',
  lock: 'for no key update',
};

export type FileLabel = Pick<LabelRow, 'id' | 'uuid' | 'name' | 'slug' | 'color' | 'description'>;

/** Returns the labels of files by the id of the file, each list in order of name. */
export async function labelsOfFiles(tx: Tx, fileIds: readonly number[]): Promise<Map<number, FileLabel[]>> {
  const labels = new Map<number, FileLabel[]>(fileIds.map((id) => [id, []]));
  const rows = await prepared<FileLabel & { fileId: number }>(
    tx,
    `select link.file_id as "fileId", label.id, label.uuid, label.name, label.slug, label.color, label.description
     from file_label_links link join file_labels label on label.id = link.file_label_id
     where link.file_id = any(?) order by label.name, label.id`,
    [fileIds],
  );
  for (const { fileId, ...label } of rows) labels.get(fileId)?.push(label);
  return labels;
}

/** Returns those of these labels that exist, and protects them from deletion until the transaction ends. */
export async function pinFileLabels(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await FileLabelModel.pick(tx, ['id'], 'id = any(?) order by id for key share', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the labels of a file, which is locked, with these, which are pinned. @returns whether that changed any */
export async function replaceFileLabels(
  tx: Tx,
  fileId: number,
  labelIds: readonly number[],
): Promise<boolean> {
  const [removed, added] = await Promise.all([
    FileLabelLinkModel.deleteWhere(tx, 'file_id = ? and file_label_id <> all(?::bigint[])', [
      fileId,
      labelIds,
    ]),
    changedBy(
      tx,
      `insert into file_label_links (workspace_id, file_id, file_label_id)
       select ?, ?, label_id from unnest(?::bigint[]) as label_id on conflict do nothing`,
      [tx.workspaceId, fileId, labelIds],
    ),
  ]);
  return removed + added > 0;
}
