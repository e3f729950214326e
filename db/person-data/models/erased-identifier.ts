import { column, tenantTable } from '../../lib/table.js';

/** What an erased person was known by. Kept for a day. */
export class ErasedIdentifierModel extends tenantTable('erased_identifiers', {
  erasureId: column<number>(),
  digest: column<Buffer>('digest'),
  erasedAt: column<Date>(),
}) {}
