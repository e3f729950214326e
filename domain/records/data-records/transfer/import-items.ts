import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Actor } from '../../../kernel/actor.js';
import { InvalidInput } from '../../../lib/errors.js';
import { canWriteAll, isHiddenFrom, requireChange, requireExternalId } from '../record-access.js';
import type { RecordToSave } from '../writing/write-options.js';
import { cellError, idOfCell, type RecordRow, recordColumns } from './import-columns.js';
import type { Owner } from './import-owners.js';

/** The actor of an import, and the member for rows that name none. */
export interface Importer {
  actor: Actor;
  /** Id of a person, not of an assistant. */
  memberId: number;
  /** True if the request named no member, so that `memberId` is the caller's. */
  memberIsDefault: boolean;
}

/** The members and records that the rows refer to. */
export interface NamedByRows {
  ownerOf: (row: RecordRow) => Owner;
  /** Records with an id that a row names, and records with an external id that such a row names. */
  records: readonly DataRecordRow[];
}

/**
 * Converts a row to the record to save. A record that the actor may not see is refused with the same error as one that
 * does not exist.
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

/** Returns the record with the row's id. @throws Forbidden, InvalidInput if other columns of the row contradict it */
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
  // Check the permission before any error that reveals the record's member.
  requireChange(actor, type, record);
  // A matching member id needs no look-up: the member may have been deleted, and an export of its records must import.
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
