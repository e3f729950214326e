import type { Tx } from '../../../../db/database.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { lockDataRecordsByIds } from '../../../../db/records/transfer-data-records.js';
import { DomainError } from '../../../lib/errors.js';
import { failedBy, type RowOutcome } from '../../csv/import-tally.js';
import { canWriteAll, requireChange, requireExternalId, requireWrite } from '../record-access.js';
import {
  type RecordToSave,
  type SavedRecord,
  type WriteOptions,
  writeRecords,
} from '../writing/write-records.js';
import type { RecordRow } from './import-columns.js';
import { type Importer, itemOfRow } from './import-items.js';
import { findOwners } from './import-owners.js';

/** The importer with the time of the import and the region of phone numbers without a country code. */
export type BatchImporter = Importer & Pick<WriteOptions, 'now' | 'defaultRegion'>;

/**
 * Writes the records of some rows in the caller's transaction, which has pinned the type. A refused row does not
 * prevent the others from being written.
 *
 * @returns the outcome of each row, in their order
 */
export async function importBatch(
  tx: Tx,
  importer: BatchImporter,
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

function optionsFor({ actor, now, defaultRegion }: BatchImporter, type: DataTypeRow): WriteOptions {
  return {
    actorMemberId: actor.memberId,
    now,
    defaultRegion,
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
