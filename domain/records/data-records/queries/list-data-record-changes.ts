import {
  type DataRecordChangeRow,
  listDataRecordChanges as findChanges,
} from '../../../../db/records/data-record-changes.js';
import type { CommandContext } from '../../../kernel/context.js';
import type { PageOf, PageRequest } from '../../../lib/paging.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { readableRecord } from './get-data-record.js';

/** Lists a record's changes. Requires read access to the record as it is now. @throws NotFound, Forbidden */
export async function listDataRecordChanges(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<DataRecordChangeRow>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [, changes] = await settleInOrder(
      readableRecord(tx, actor, dataTypeId, id),
      findChanges(tx, id, page),
    );
    return changes;
  });
}
