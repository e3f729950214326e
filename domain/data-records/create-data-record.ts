import type { Tx } from '../../db/database.js';
import {
  assignmentOfTask,
  type DataRecordDetails,
  lockDataRecordByExternalId,
  lockSingleRecord,
} from '../../db/queries/data-records.js';
import { type DataTypeRow, pinDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { Conflict, InvalidInput, NotFound } from '../errors.js';
import { requirePerson } from '../members/require-person.js';
import { workspaceRegion } from '../workspaces/workspace-region.js';
import { checkRecordValues, type FieldValues, overlay } from './check-record-values.js';
import { pokeCollectingRuns } from './poke-collecting-runs.js';
import { requireExternalId, requireWrite } from './record-access.js';
import { addRecord } from './recorded-writes.js';
import { recordDetails, saveValues } from './save-values.js';

export interface NewRecord {
  fieldValues: FieldValues;
  /** The caller when left out. */
  memberId?: number;
  externalId?: string;
  /** The task of the member's assignment that this answers. */
  assignmentTaskId?: number;
}

/**
 * Creates a record. With an external id that the type knows already, that record is updated instead (specification,
 * transitions of data records): also when many such requests come at once. A member that is named has to be that
 * record's own.
 *
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function createDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord,
): Promise<DataRecordDetails> {
  const { db, actor } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await pinDataType(tx, dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    return (
      (await updateKnown(tx, context, type, input)) ??
      (await add(tx, context, type, input)) ??
      // Another request took the place between the two: what it wrote is visible now.
      (await updateKnown(tx, context, type, input)) ??
      (await refuseSecond(tx, type, input.memberId ?? actor.memberId))
    );
  });
}

/** The update of the record that has this external id; undefined when there is none. */
async function updateKnown(
  tx: Tx,
  context: CommandContext,
  type: DataTypeRow,
  { externalId, memberId, fieldValues, assignmentTaskId }: NewRecord,
): Promise<DataRecordDetails | undefined> {
  if (externalId === undefined) return undefined;
  requireWrite(context.actor, type, memberId ?? context.actor.memberId);
  const known = await lockDataRecordByExternalId(tx, type.id, externalId);
  requireExternalId(context.actor, type, known);
  if (known === undefined) return undefined;
  if (memberId !== undefined && memberId !== known.memberId) {
    throw InvalidInput.field('/externalId', "Another member's record has this external id.", 'duplicate');
  }
  if (assignmentTaskId === undefined) return saveValues(tx, context, type, known, { fieldValues });
  await checkTask(tx, assignmentTaskId, known.memberId);
  return saveValues(tx, context, type, known, { fieldValues, assignmentTaskId });
}

/** A new record; undefined when its place is taken. */
async function add(
  tx: Tx,
  context: CommandContext,
  type: DataTypeRow,
  input: NewRecord,
): Promise<DataRecordDetails | undefined> {
  const { actor, clock } = context;
  const memberId = input.memberId ?? actor.memberId;
  requireWrite(actor, type, memberId);
  await requirePerson(tx, memberId);
  if (input.assignmentTaskId !== undefined) await checkTask(tx, input.assignmentTaskId, memberId);
  const defaultRegion = await workspaceRegion(context, tx);
  const values = checkRecordValues(type, input.fieldValues, { partial: false, defaultRegion });
  const writer = { actorMemberId: actor.memberId, now: clock.now() };
  const record = await addRecord(tx, writer, {
    dataTypeId: type.id,
    memberId,
    isSingle: !type.isCollection,
    externalId: input.externalId ?? null,
    fieldValues: overlay({}, values),
    assignmentTaskId: input.assignmentTaskId ?? null,
  });
  if (record === undefined) return undefined;
  await pokeCollectingRuns(tx, record.memberId);
  return recordDetails(tx, record);
}

async function checkTask(tx: Tx, assignmentTaskId: number, memberId: number): Promise<void> {
  const assignment = await assignmentOfTask(tx, assignmentTaskId);
  if (assignment?.memberId !== memberId) {
    throw InvalidInput.field('/assignmentTaskId', "This is not a task of the member's assignments.");
  }
}

async function refuseSecond(tx: Tx, type: DataTypeRow, memberId: number): Promise<never> {
  if (!type.isCollection && (await lockSingleRecord(tx, type.id, memberId)) !== undefined) {
    const message =
      'The member has a record of this type already, and the type holds one a member: update it.';
    throw InvalidInput.field('/memberId', message, 'duplicate');
  }
  throw new Conflict('record_contended', 'The record is being changed by someone else. Try again.');
}
