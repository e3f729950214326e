import type { EnteredTx } from '../../../db/database.js';
import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { insertUnlessChanged } from '../../../db/records/insert-new-record.js';
import { type ReadForNewRecord, readForNewRecord } from '../../../db/records/type-for-new-record.js';
import { dataRecordEventTypes } from '../../events/events/data-record-events.js';
import type { CommandContext } from '../../kernel/context.js';
import { admitItems } from './admit-items.js';
import { WritePlan } from './plan-writes.js';
import { valuesOf } from './searchable-values.js';
import { hasStorageLeft } from './storage-limit.js';
import type { RecordToSave } from './writer.js';

/** What `createAtOnce` is done with, whoever calls. */
export async function askForNewRecord(
  tx: EnteredTx,
  dataTypeId: number,
): Promise<ReadForNewRecord | undefined> {
  return readForNewRecord(tx, dataTypeId);
}

/**
 * Creates a record in one statement, where it can neither meet another one nor name anything that has to be looked up,
 * and no rule waits for the event (docs/decisions/0083-a-single-record.md).
 *
 * @param asked what was known of its type a moment before
 * @returns undefined, with nothing done, where anything speaks against it: `writeRecords` finds out what
 */
export async function createAtOnce(
  { db, actor, clock }: CommandContext,
  { type, version, defaultRegion, subscribed }: ReadForNewRecord,
  item: RecordToSave,
): Promise<DataRecordDetails | undefined> {
  const isAwaited = dataRecordEventTypes('created').some((eventType) => subscribed.has(eventType));
  if (isAwaited || !isIndependent(type, item) || !hasStorageLeft(actor.workspaceId)) return undefined;
  const { memberId } = item;
  // The statement finds out whether the member is a person, and makes the id.
  const members = new Map([[memberId, { kind: 'human' as const }]]);
  const admit = admitItems(actor, type, { members, membersOfTasks: new Map(), changesSingle: false });
  const { memberId: actorMemberId } = actor;
  const writer = { actorMemberId, now: clock.now(), defaultRegion, admit };
  const planned = new WritePlan(writer, type, [], [0]).add(item)();
  if (planned.status === 'failed') return undefined;
  const { record } = planned;
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
