import type { FileRow } from '../../../db/files/files.js';
import type { EventFile } from './payloads.js';
import type { NewEvent } from './write-events.js';

export type FileOperation = 'created' | 'updated' | 'deleted';

/** The event for a change of a file: without its bytes, its text and addresses of it. */
export function fileEvent(operation: FileOperation, row: FileRow): NewEvent {
  const file: EventFile = {
    id: row.id,
    uuid: row.uuid,
    title: row.title,
    description: row.description,
    filename: row.filename,
    mimeType: row.mimeType,
    fileSize: row.fileSize,
    folderId: row.folderId,
    ownerId: row.ownerMemberId,
    access: row.access,
    source: row.source,
    externalId: row.externalId,
    currentVersionNumber: row.currentVersionNumber,
    lastEditedByMemberId: row.lastEditedByMemberId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
  return { eventType: `file:${operation}`, payload: { file } };
}
