import { pinDataType } from '../../../db/records/data-types.js';
import {
  type RecordToSave,
  type SavedRecord,
  writeRecords,
} from '../../../domain/records/data-records/writing/write-records.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** Writes records of a data type, many at once; the admin's unless told. */
export async function addRecords(
  { database, workspaceId, admin: { memberId } }: TestWorkspace,
  dataTypeId: number,
  records: readonly (Omit<RecordToSave, 'memberId'> & { memberId?: number })[],
): Promise<SavedRecord[]> {
  const saved = await database.inWorkspace(workspaceId, async (tx) => {
    const type = await pinDataType(tx, dataTypeId);
    if (type === undefined) throw new Error(`there is no data type ${dataTypeId}`);
    const fileGiver = { memberId, readsWorkspace: true, readsAll: true };
    const terms = { now: new Date(), defaultRegion: 'US', authorize: undefined };
    const writer = { actorMemberId: memberId, fileGiver, ...terms };
    return writeRecords(
      tx,
      writer,
      type,
      records.map((record) => ({ memberId, ...record })),
    );
  });
  const failed = saved.find((one) => one.status === 'failed');
  if (failed !== undefined) throw failed.reason;
  return saved;
}
