import { column, identityTable, json } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Where an account has first come from. */
export class AcquisitionModel extends identityTable('account_acquisitions', {
  id: column<number>(),
  accountId: column<number>(),
  /** Values by the names that the domain allows. */
  touch: json<Readonly<Record<string, string>>>('personal'),
  recordedAt: column<Date>(),
}) {}

export type AcquisitionRow = RowOf<AcquisitionModel>;
