import { column, tenantTable } from '../../lib/table.js';

/** An entry of the journal of what records and their history take. Triggers write it. */
export class StoredBytesModel extends tenantTable('stored_bytes', {
  bytes: column<number>(),
}) {}
