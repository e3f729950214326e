import { findMember } from '../../../db/people/members.js';
import { memberOfTask } from '../../../db/records/data-records.js';
import { pinForNewRecord } from '../../../db/records/insert-data-record.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { storedExternalId } from '../../lib/plain-text.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import type { FieldValues } from '../field-values.js';
import { type DataRecordView, withItsFiles } from './queries/files-of-records.js';
import { type NamedByItem, requireWrite, upsertOptions } from './record-access.js';
import { writeOneRecord } from './writing/write-one-record.js';
import type { RecordToSave } from './writing/write-options.js';

export interface NewRecord {
  fieldValues: FieldValues;
  /** Default: the caller. */
  memberId?: number;
  externalId?: string;
  /** The task of the member's assignment that this record answers. */
  assignmentTaskId?: number;
  /** One of `accessModes`. Needs the permission to write all records of the type. */
  accessMode?: number;
}

export function itemOf({ actor }: CommandContext, input: NewRecord): RecordToSave {
  const { memberId, externalId } = input;
  return {
    ...input,
    ...(externalId === undefined ? {} : { externalId: storedExternalId(externalId) }),
    memberId: memberId ?? actor.memberId,
    memberIsDefault: memberId === undefined,
  };
}

/**
 * Creates a record, or updates that with the external id. A member's existing single record is updated if
 * `changesSingle`, otherwise refused as a duplicate.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`, InProgress `record_contended`
 */
export async function saveDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord,
  { changesSingle }: Pick<NamedByItem, 'changesSingle'>,
): Promise<DataRecordView> {
  const { db, actor } = context;
  const item = itemOf(context, input);
  const { memberId, assignmentTaskId } = item;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    // All queries that do not depend on each other are sent in one message.
    const [pinned, ownerOfTask] = await settleInOrder(
      pinForNewRecord(tx, dataTypeId, memberId),
      assignmentTaskId == null ? undefined : memberOfTask(tx, assignmentTaskId),
    );
    if (pinned === undefined) throw new NotFound('Data type');
    const { type, defaultRegion, newId, member } = pinned;
    requireWrite(actor, type, memberId);
    const named = { member, ownerOfTask, changesSingle };
    const options = upsertOptions(context, type, defaultRegion, () => named);
    const { record: row, operation } = await writeOneRecord(tx, options, type, item, newId);
    const owner = row.memberId === memberId ? member : await findMember(tx, row.memberId);
    const saved = { ...row, memberName: owner?.name ?? null };
    return { ...(await withItsFiles(tx, actor, saved, type)), operation };
  });
}

/**
 * Creates or updates the record with this external id. If there is none and the type holds one record for each member,
 * the member's existing record is updated and takes the external id. The call may be repeated, also concurrently.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function upsertDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord & { externalId: string },
): Promise<DataRecordView> {
  return saveDataRecord(context, dataTypeId, input, { changesSingle: true });
}
