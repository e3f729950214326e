import { type DataTypeRow, pinDataType } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { writeRecords } from '../../../domain/records/data-records/writing/write-records.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

export function addTypeWithFiles(workspace: TestWorkspace): Promise<DataTypeRow> {
  const fields = [{ slug: 'scans', name: 'Scans', fieldType: 'files' }];
  const input = { name: 'Scans', slug: `scans-${randomTag()}`, isCollection: true, fields };
  return createDataType(workspace.context(), input);
}

/** Writes a record that holds files, as the admin, in a transaction that may go on. */
export async function holdFiles(
  tx: Tx,
  { admin, member }: TestWorkspace,
  { id }: DataTypeRow,
  scans: number[],
): Promise<void> {
  const type = await pinDataType(tx, id);
  if (type === undefined) throw new Error(`there is no data type ${id}`);
  const fileGiver = { memberId: admin.memberId, readsWorkspace: true, readsAll: true };
  const terms = { now: new Date(), defaultRegion: 'US', authorize: undefined };
  const [saved] = await writeRecords(tx, { actorMemberId: admin.memberId, fileGiver, ...terms }, type, [
    { memberId: member.memberId, fieldValues: { scans } },
  ]);
  if (saved?.status !== 'created') throw new Error('the record is not written');
}
