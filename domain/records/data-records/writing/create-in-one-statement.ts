import type { EnteredTx } from '../../../../db/database.js';
import type { DataRecordDetails, DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { insertUnlessChanged } from '../../../../db/records/insert-new-record.js';
import { type ReadForNewRecord, readForNewRecord } from '../../../../db/records/type-for-new-record.js';
import { dataRecordEventTypes } from '../../../events/events/data-record-events.js';
import type { CommandContext } from '../../../kernel/context.js';
import { DomainError } from '../../../lib/errors.js';
import { authorizeItems } from '../transfer/authorize-items.js';
import { newRecord } from './merge-record.js';
import { valuesOf } from './searchable-values.js';
import { hasStorageLeft } from './storage-limit.js';
import type { RecordToSave } from './write-options.js';

/** Prefetches what `createInOneStatement` needs; does not depend on the caller. */
export async function prefetchNewRecord(
  tx: EnteredTx,
  dataTypeId: number,
): Promise<ReadForNewRecord | undefined> {
  return readForNewRecord(tx, dataTypeId);
}

/**
 * Creates a record in one statement. This is possible if the record cannot conflict with another one, refers to nothing
 * that has to be looked up, and no event rule subscribes to its event (docs/decisions/0083-a-single-record.md).
 *
 * @param seen the type, as it was prefetched
 * @returns undefined, with nothing stored, if this is not possible or the record is refused; the caller then uses
 *   `writeOneRecord`, which writes the record or reports the error
 */
export async function createInOneStatement(
  { db, actor, clock }: CommandContext,
  { type, version, defaultRegion, subscribed }: ReadForNewRecord,
  item: RecordToSave,
): Promise<DataRecordDetails | undefined> {
  const isAwaited = dataRecordEventTypes('created').some((eventType) => subscribed.has(eventType));
  if (isAwaited || !isIndependent(type, item) || !hasStorageLeft(actor.workspaceId)) return undefined;
  const { memberId } = item;
  // The statement itself checks that the member is a person, and generates the id.
  const members = new Map([[memberId, { kind: 'human' as const }]]);
  const authorize = authorizeItems(actor, type, { members, membersOfTasks: new Map(), changesSingle: false });
  let record: DataRecordRow;
  try {
    authorize(item, undefined);
    record = newRecord({ now: clock.now(), defaultRegion }, type, item, 0);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
  const { memberId: actorMemberId } = actor;
  const inserted = await db.inOneStatement(actor.workspaceId, (tx) =>
    insertUnlessChanged(tx, record, valuesOf(type, record), { actorMemberId, typeVersion: version }),
  );
  return inserted && { ...record, ...inserted };
}

const references: readonly string[] = ['member', 'file'];

function isIndependent(
  { isCollection, fields }: DataTypeRow,
  { externalId, assignmentTaskId }: RecordToSave,
): boolean {
  if (!isCollection || externalId != null || assignmentTaskId != null) return false;
  return fields.every(({ unique, fieldType }) => unique !== true && !references.includes(fieldType));
}
