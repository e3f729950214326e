import {
  type DataRecordChangeRow,
  selectDataRecordChanges,
} from '../../../../db/records/data-record-changes.js';
import { type DataRecordDetails, findDataRecord } from '../../../../db/records/data-records.js';
import { type DataTypeRow, findDataType } from '../../../../db/records/data-types.js';
import type { EnteredTx } from '../../../../db/tx.js';
import type { Actor } from '../../../kernel/actor.js';
import type { CommandContext } from '../../../kernel/context.js';
import { NotFound } from '../../../lib/errors.js';
import type { PageOf, PageRequest } from '../../../lib/paging.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { isFileField } from '../../field-values.js';
import { requireRecord } from '../record-access.js';
import { type DataRecordView, withItsFiles } from './files-of-records.js';

type TypeAndRecord = [DataTypeRow | undefined, DataRecordDetails | undefined];

/** Prefetch for `getDataRecord`; does not depend on the caller. */
export async function prefetchDataRecord(
  tx: EnteredTx,
  dataTypeId: number,
  id: number,
): Promise<TypeAndRecord> {
  return settleInOrder(findDataType(tx, dataTypeId), findDataRecord(tx, dataTypeId, id));
}

/** Returns one record, also if it is retired. @throws NotFound, Forbidden */
export async function getDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
  prefetched?: TypeAndRecord,
): Promise<DataRecordView> {
  const read = () => db.readInWorkspace(actor.workspaceId, (tx) => prefetchDataRecord(tx, dataTypeId, id));
  const found = prefetched ?? (await read());
  const record = requireReadable(actor, found);
  const [type] = found;
  if (type === undefined || !type.fields.some(isFileField)) return record;
  return db.readInWorkspace(actor.workspaceId, (tx) => withItsFiles(tx, actor, record, type));
}

/** Lists a record's changes. Requires read access to the record as it is now. @throws NotFound, Forbidden */
export async function listDataRecordChanges(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<DataRecordChangeRow>> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [found, changes] = await settleInOrder(
      prefetchDataRecord(tx, dataTypeId, id),
      selectDataRecordChanges(tx, id, page),
    );
    requireReadable(actor, found);
    return changes;
  });
}

function requireReadable(actor: Actor, [type, record]: TypeAndRecord): DataRecordDetails {
  if (type === undefined) throw new NotFound('Data type');
  if (record === undefined) throw new NotFound('Data record');
  requireRecord(actor, type, record);
  return record;
}
