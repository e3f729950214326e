import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { Actor } from '../../kernel/actor.js';
import { InvalidInput } from '../../lib/errors.js';
import { cellError, idOfCell, type RecordRow, recordColumns } from './import-columns.js';
import type { Owner } from './import-owners.js';
import { canWriteAll, isHiddenFrom, requireChange, requireExternalId } from './record-access.js';
import type { RecordToSave } from './write-options.js';

/** Who imports, and whose the records of rows are that name nobody. */
export interface Importer {
  actor: Actor;
  /** A person. */
  memberId: number;
  /** Nobody said so: it is the caller. */
  memberIsDefault: boolean;
}

/** What is known of what rows name. */
export interface NamedByRows {
  ownerOf: (row: RecordRow) => Owner;
  /** The records that rows name by their ids, and those that have external ids which such rows name. */
  records: readonly DataRecordRow[];
}

/**
 * A row as a record to be saved. What its writer may not know of is told in the same words as what there is not.
 *
 * @throws Forbidden, InvalidInput
 */
export function itemOfRow(
  importer: Importer,
  type: DataTypeRow,
  row: RecordRow,
  named: NamedByRows,
): RecordToSave {
  if (row.errors.length > 0) throw InvalidInput.fields(row.errors);
  const { fieldValues, externalId } = row;
  const values = externalId === undefined ? { fieldValues } : { fieldValues, externalId };
  if (row.id !== undefined) {
    const record = recordNamed(importer.actor, type, row, named);
    return { ...values, memberId: record.memberId, record };
  }
  const owner = named.ownerOf(row);
  if (owner.status === 'unnamed') {
    const { memberId, memberIsDefault } = importer;
    return { ...values, memberId, memberIsDefault };
  }
  return { ...values, memberId: ownerNamed(importer.actor, type, owner) };
}

function ownerNamed(actor: Actor, type: DataTypeRow, owner: Exclude<Owner, { status: 'unnamed' }>): number {
  if (owner.status === 'found') return owner.memberId;
  if (!canWriteAll(actor, type)) actor.require('records:write');
  throw InvalidInput.fields(owner.errors);
}

/** The record that has the row's id. @throws Forbidden, InvalidInput where the row says something else of it */
function recordNamed(
  actor: Actor,
  type: DataTypeRow,
  row: RecordRow,
  { ownerOf, records }: NamedByRows,
): DataRecordRow {
  const { id, externalId, names } = row;
  const record = records.find((one) => one.id === id);
  const isUnknown = record === undefined || (!canWriteAll(actor, type) && isHiddenFrom(actor, type, record));
  if (isUnknown) throw refusal(recordColumns.id, 'names no record of the data type');
  // Before anything is told of whose it is.
  requireChange(actor, type, record);
  // Its member may have been deleted since: then the record is there still, and its export comes back.
  const isOwner = names.every(({ key, text }) => key === 'id' && idOfCell(text) === record.memberId);
  if (!isOwner) {
    const owner = ownerOf(row);
    if (owner.status !== 'unnamed' && ownerNamed(actor, type, owner) !== record.memberId) {
      throw refusal(recordColumns.id, "names another member's record");
    }
  }
  if (externalId !== undefined && externalId !== record.externalId) {
    requireExternalId(actor, type, undefined);
    const isTaken = records.some((one) => one.externalId === externalId);
    if (isTaken) throw refusal(recordColumns.externalId, 'is that of another record');
  }
  return record;
}

function refusal(column: string, message: string): InvalidInput {
  return InvalidInput.fields([cellError(column, message)]);
}
