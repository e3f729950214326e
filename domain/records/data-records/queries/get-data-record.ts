import type { EnteredTx, Tx } from '../../../../db/database.js';
import { type DataRecordDetails, findDataRecord } from '../../../../db/records/data-records.js';
import { type DataTypeRow, findDataType } from '../../../../db/records/data-types.js';
import type { Actor } from '../../../kernel/actor.js';
import type { CommandContext } from '../../../kernel/context.js';
import { NotFound } from '../../../lib/errors.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { requireRecord } from '../record-access.js';

interface TypeAndRecord {
  type: DataTypeRow | undefined;
  record: DataRecordDetails | undefined;
}

/** Prefetch for `getDataRecord`; does not depend on the caller. */
export async function prefetchDataRecord(
  tx: EnteredTx,
  dataTypeId: number,
  id: number,
): Promise<TypeAndRecord> {
  const [type, record] = await settleInOrder(
    findDataType(tx, dataTypeId),
    findDataRecord(tx, dataTypeId, id),
  );
  return { type, record };
}

/** Returns one record, also if it is retired. @throws NotFound, Forbidden */
export async function getDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
  prefetched?: TypeAndRecord,
): Promise<DataRecordDetails> {
  const found =
    prefetched ??
    (await db.readInWorkspace(actor.workspaceId, (tx) => prefetchDataRecord(tx, dataTypeId, id)));
  return requireReadable(actor, found);
}

/** Returns a record that the actor may read. @throws NotFound, Forbidden */
export async function readableRecord(
  tx: Tx,
  actor: Actor,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails> {
  return requireReadable(actor, await prefetchDataRecord(tx, dataTypeId, id));
}

function requireReadable(actor: Actor, { type, record }: TypeAndRecord): DataRecordDetails {
  if (type === undefined) throw new NotFound('Data type');
  if (record === undefined) throw new NotFound('Data record');
  requireRecord(actor, type, record);
  return record;
}
