import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/**
 * `pending`: its bytes may be in the storage; `stored`: a row refers to it and its bytes are there; `doomed`: its bytes
 * are deleted, and then its row.
 */
export type ObjectState = 'pending' | 'stored' | 'doomed';

export class StoredObjectModel extends tenantTable('stored_objects', {
  /** With the uuid of the workspace, the key in the storage. */
  uuid: column<string>(),
  bytes: column<number>(),
  sha256: column<Buffer | null>('digest'),
  mimeType: column<string>('code'),
  state: column<ObjectState>('code'),
  stateSince: column<Date>(),
  createdByMemberId: column<number | null>(),
  /** An attachment of a mail: of a member, or of a sender who was not known. */
  mailedBy: column<'member' | 'stranger' | null>('code'),
  /** SHA-256 of the domain of a sender who was not known. */
  mailedDomain: column<Buffer | null>('digest'),
  /** When the collector deletes it; null: as long as a version refers to it. */
  expiresAt: column<Date | null>(),
}) {}

export type StoredObjectRow = RowOf<StoredObjectModel>;

/** How many bytes of its quota a workspace uses: those of all its objects, whatever their state. */
export class StorageUsageModel extends tenantTable('storage_usage', {
  bytes: column<number>(),
  /** Those of attachments of mails, and of senders who were not known; triggers count them. */
  mailBytes: column<number>(),
  strangerBytes: column<number>(),
}) {}
