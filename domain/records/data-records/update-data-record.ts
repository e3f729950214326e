import { lockDataRecord, type RecordKey } from '../../../db/records/data-records.js';
import { pinDataType } from '../../../db/records/data-types.js';
import { giverOf } from '../../files/file-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { NotFound } from '../../lib/errors.js';
import { storedExternalId } from '../../lib/plain-text.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import type { FieldValues } from '../field-values.js';
import { type DataRecordView, withItsFiles } from './queries/files-of-records.js';
import { canWriteAll, requireChange, requireExternalId } from './record-access.js';
import { writeOneRecord } from './writing/write-one-record.js';

/**
 * Updates one record: omitted fields keep their values, null clears a field.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function updateDataRecord(
  context: CommandContext,
  dataTypeId: number,
  given: RecordKey,
  changes: { fieldValues: FieldValues; accessMode?: number },
): Promise<DataRecordView> {
  const { db, actor, clock } = context;
  const key = 'externalId' in given ? { externalId: storedExternalId(given.externalId) } : given;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const [type, defaultRegion, record] = await settleInOrder(
      pinDataType(tx, dataTypeId),
      workspaceRegion(context, tx),
      lockDataRecord(tx, dataTypeId, key),
    );
    if (type === undefined) throw new NotFound('Data type');
    // Before the error for a missing record, which would reveal whether the record exists.
    if ('externalId' in key) requireExternalId(actor, type, record);
    if (record === undefined) throw new NotFound('Data record');
    requireChange(actor, type, record);
    if (changes.accessMode !== undefined && !canWriteAll(actor, type)) actor.require('records:write');
    const { memberName, ...row } = record;
    const options = {
      actorMemberId: actor.memberId,
      now: clock.now(),
      defaultRegion,
      fileGiver: giverOf(actor),
      authorize: undefined,
    };
    const item = { ...changes, memberId: row.memberId, record: row };
    const { record: written, operation } = await writeOneRecord(tx, options, type, item);
    return { ...(await withItsFiles(tx, actor, { ...written, memberName }, type)), operation };
  });
}
