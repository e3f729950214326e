import type { QueryBuilder } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { type FileAccess, type FileKind, FileModel, type FileRow } from './models/file.js';
import { FileAttachmentModel } from './models/file-attachment.js';
import { FileLabelLinkModel, FileLabelModel } from './models/file-label.js';
import { type FileReader, filesReadableBy } from './readable-files.js';

/** Selects files: all given conditions apply, and any value of a list may match. */
export interface FileFilter {
  /** A part of the title or of the file name. */
  search?: string;
  /** Null: in no folder. */
  folderId?: number | null;
  kind?: readonly FileKind[];
  labelId?: readonly number[];
  access?: readonly FileAccess[];
  ownerId?: readonly number[];
  externalId?: string;
  /** The assignment that the files are attached to. */
  assignmentId?: number;
  createdFrom?: string;
  createdBefore?: string;
}

export type FileSortField = 'createdAt' | 'updatedAt' | 'title';

const sortColumns: Record<FileSortField, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  title: 'title',
};

/** Reads a page of the files that the reader may read. */
export async function selectFiles(
  tx: Tx,
  filter: FileFilter,
  page: PageRequest<FileSortField>,
  reader: FileReader,
): Promise<PageOf<FileRow>> {
  const query = filteredFiles(tx, filter, reader);
  const options = { neverNull: true, findsFirst: true };
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id', options);
  return { ...found, items: found.items.map(toRow) };
}

function filteredFiles(tx: Tx, filter: FileFilter, reader: FileReader): QueryBuilder<FileModel> {
  const query = FileModel.query(tx);
  const { search, folderId, kind, labelId, access, ownerId, externalId } = filter;
  const { assignmentId, createdFrom, createdBefore } = filter;
  const readable = filesReadableBy(reader);
  query.whereRaw(readable.text, [...readable.bindings] as number[]);
  if (folderId === null) query.whereNull('folder_id');
  if (typeof folderId === 'number') query.where('folder_id', folderId);
  if (kind !== undefined) query.whereIn('kind', [...kind]);
  if (labelId !== undefined) {
    const labels = FileLabelModel.query(tx)
      .select('id')
      .findByIds([...labelId]);
    const links = FileLabelLinkModel.query(tx).whereIn('file_label_id', labels);
    query.whereIn('id', links.select('file_id'));
  }
  if (access !== undefined) query.whereIn('access', [...access]);
  if (ownerId !== undefined) query.whereIn('owner_member_id', [...ownerId]);
  if (externalId !== undefined) query.where('external_id', externalId);
  if (assignmentId !== undefined) {
    const attached = FileAttachmentModel.query(tx).where({ assignment_id: assignmentId });
    query.whereIn('id', attached.select('file_id'));
  }
  if (createdFrom !== undefined) query.where('created_at', '>=', new Date(createdFrom));
  if (createdBefore !== undefined) query.where('created_at', '<', new Date(createdBefore));
  if (search !== undefined) {
    // Under row-level security no operator on parts of texts can be an index condition.
    const part = containsPattern(search);
    query.where((any) => {
      any.whereILike('title', part).orWhereILike('filename', part);
    });
  }
  return query;
}
