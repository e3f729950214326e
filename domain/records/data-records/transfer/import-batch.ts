import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { lockDataRecordsByIds } from '../../../../db/records/transfer-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import { giverOf } from '../../../files/file-access.js';
import type { Actor } from '../../../kernel/actor.js';
import { DomainError, InvalidInput } from '../../../lib/errors.js';
import { failedBy, type RowOutcome } from '../../csv/import-tally.js';
import {
  canWriteAll,
  isHiddenFrom,
  requireChange,
  requireExternalId,
  requireWrite,
} from '../record-access.js';
import {
  type RecordToSave,
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../writing/write-records.js';
import { cellError, idOfCell, type RecordRow, recordColumns } from './import-columns.js';
import { findOwners, type Owner } from './import-owners.js';

interface Importer extends Pick<WriteOptions, 'now' | 'defaultRegion'> {
  actor: Actor;
  /** The person for rows that name no member. */
  memberId: number;
  /** True if the request named no member, so that `memberId` is the caller's. */
  memberIsDefault: boolean;
}

/** The members and records that the rows refer to. */
interface NamedByRows {
  ownerOf: (row: RecordRow) => Owner;
  /** Records with an id that a row names, and records with an external id that such a row names. */
  records: readonly DataRecordRow[];
}

/**
 * Writes the rows that are not refused, in a transaction that has pinned the type. @returns the rows' outcomes in order
 */
export async function importBatch(
  tx: Tx,
  importer: Importer,
  type: DataTypeRow,
  rows: readonly RecordRow[],
): Promise<RowOutcome[]> {
  const [ownerOf, records] = await Promise.all([
    findOwners(tx, rows, importer.defaultRegion),
    lockNamedRecords(tx, type, rows),
  ]);
  const asked = rows.map((row) => unlessRefused(() => itemOfRow(importer, type, row, { ownerOf, records })));
  const items = asked.flatMap((one) => ('status' in one ? [] : one));
  const saved = items.length === 0 ? [] : await writeRecords(tx, optionsFor(importer, type), type, items);
  return asked.map((one) => ('status' in one ? one : outcomeOf(saved.shift())));
}

async function lockNamedRecords(
  tx: Tx,
  type: DataTypeRow,
  rows: readonly RecordRow[],
): Promise<readonly DataRecordRow[]> {
  const named = rows.filter(({ id }) => id !== undefined);
  if (named.length === 0) return [];
  const ids = named.flatMap(({ id }) => id ?? []);
  const externalIds = named.flatMap(({ externalId }) => externalId ?? []);
  return lockDataRecordsByIds(tx, type.id, ids, externalIds);
}

function optionsFor({ actor, now, defaultRegion }: Importer, type: DataTypeRow): WriteOptions {
  return {
    actorMemberId: actor.memberId,
    now,
    defaultRegion,
    fileGiver: giverOf(actor),
    authorize: ({ memberId, externalId }, found) => {
      if (externalId != null) {
        const match = found?.record.externalId === externalId ? found.record : undefined;
        // For a row that names its record by id, the owner of the external id was not looked up here.
        const isUnknown = found?.by === 'record' && match === undefined;
        if (isUnknown && !canWriteAll(actor, type)) actor.require('records:write');
        requireExternalId(actor, type, match);
      }
      requireWrite(actor, type, memberId);
      if (found !== undefined) requireChange(actor, type, found.record);
    },
    followsExternalIds: true,
  };
}

function unlessRefused(make: () => RecordToSave): RecordToSave | (RowOutcome & { status: 'failed' }) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return failedBy(error);
  }
}

function outcomeOf(saved: SavedRecord | undefined): RowOutcome {
  if (saved === undefined) throw new Error('a record of an import has no outcome');
  return saved.status === 'failed' ? failedBy(saved.reason) : saved;
}

/** A record that the actor may not see gives the error of one that does not exist. @throws Forbidden, InvalidInput */
function itemOfRow(importer: Importer, type: DataTypeRow, row: RecordRow, named: NamedByRows): RecordToSave {
  if (row.errors.length > 0) throw InvalidInput.fields(row.errors);
  const { fieldValues, externalId } = row;
  const values = externalId === undefined ? { fieldValues } : { fieldValues, externalId };
  if (row.id !== undefined) {
    const record = recordNamed(importer.actor, type, row, named);
    return { ...values, memberId: record.memberId, record };
  }
  const owner = named.ownerOf(row);
  if (owner.status !== 'unnamed') return { ...values, memberId: ownerNamed(importer.actor, type, owner) };
  const { memberId, memberIsDefault } = importer;
  return { ...values, memberId, memberIsDefault };
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
  const isTaken = externalId !== undefined && records.some((one) => one.externalId === externalId);
  if (isTaken && externalId !== record.externalId) {
    throw refusal(recordColumns.externalId, 'is that of another record');
  }
  return record;
}

function refusal(column: string, message: string): InvalidInput {
  return InvalidInput.fields([cellError(column, message)]);
}
