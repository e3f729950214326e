import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import {
  insertUnlessChanged,
  type ReadForNewRecord,
  readForNewRecord,
} from '../../../db/records/insert-data-record.js';
import type { CommandContext } from '../../kernel/context.js';
import { dataRecordEventTypes } from '../../kernel/events/data-record-events.js';
import { DomainError } from '../../lib/errors.js';
import { isFileField } from '../field-values.js';
import type { DataRecordView } from './queries/files-of-records.js';
import { authorizeItem } from './record-access.js';
import { itemOf, type NewRecord, saveDataRecord } from './save-data-record.js';
import { newRecord } from './writing/merge-record.js';
import { valuesOf } from './writing/searchable-values.js';
import { hasStorageLeft } from './writing/storage-limit.js';
import type { RecordToSave } from './writing/write-options.js';

/** Prefetches what `createInOneStatement` needs; does not depend on the caller. */
export const prefetchNewRecord = readForNewRecord;

/**
 * Creates a record. One that has the external id already is updated instead, moves to the given member and is restored
 * if it was retired, also for concurrent requests (docs/decisions/0020).
 * @throws NotFound, Forbidden, InvalidInput (`duplicate` for a second single record), Conflict `record_retired`
 */
export async function createDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord,
  prefetched?: ReadForNewRecord,
): Promise<DataRecordView> {
  const created = prefetched && (await createInOneStatement(context, prefetched, itemOf(context, input)));
  return created ?? saveDataRecord(context, dataTypeId, input, { changesSingle: false });
}

/**
 * Creates a record that cannot conflict with another one, refers to nothing that has to be looked up, and whose event
 * no rule subscribes to, in one statement (docs/decisions/0090-one-record-beside-the-batch.md).
 * @returns undefined for any other or a refused record, of which nothing is stored
 */
export async function createInOneStatement(
  { db, actor, clock }: CommandContext,
  { type, version, defaultRegion, subscribed }: ReadForNewRecord,
  item: RecordToSave,
): Promise<DataRecordView | undefined> {
  const isAwaited = dataRecordEventTypes('created').some((eventType) => subscribed.has(eventType));
  if (isAwaited || !isIndependent(type, item) || !hasStorageLeft(actor.workspaceId)) return undefined;
  let record: DataRecordRow;
  try {
    // The statement itself checks that the member is a person, and generates the id.
    authorizeItem(actor, type, item, undefined, { member: { kind: 'human' }, changesSingle: false });
    record = newRecord({ now: clock.now(), defaultRegion }, type, item, 0);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
  const { memberId: actorMemberId } = actor;
  const inserted = await db.inOneStatement(actor.workspaceId, (tx) =>
    insertUnlessChanged(tx, record, valuesOf(type, record), { actorMemberId, typeVersion: version }),
  );
  return inserted && { ...record, ...inserted, operation: 'created' };
}

function isIndependent(
  { isCollection, fields }: DataTypeRow,
  { externalId, assignmentTaskId }: RecordToSave,
): boolean {
  if (!isCollection || externalId != null || assignmentTaskId != null) return false;
  return fields.every(
    (field) => field.unique !== true && field.fieldType !== 'member' && !isFileField(field),
  );
}
