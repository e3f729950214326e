import type { Tx } from '../../db/database.js';
import { type DataRecordDetails, findDataRecord } from '../../db/queries/data-records.js';
import { findDataType } from '../../db/queries/data-types.js';
import type { Actor } from '../actor.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { inOrder } from '../in-order.js';
import { requireRecord } from './record-access.js';

/** One record, retired ones included. @throws NotFound, Forbidden */
export async function getDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails> {
  return db.readInWorkspace(actor.workspaceId, (tx) => readableRecord(tx, actor, dataTypeId, id));
}

/** A record that the actor may read. @throws NotFound, Forbidden */
export async function readableRecord(
  tx: Tx,
  actor: Actor,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails> {
  const [type, record] = await inOrder(findDataType(tx, dataTypeId), findDataRecord(tx, dataTypeId, id));
  if (type === undefined) throw new NotFound('Data type');
  if (record === undefined) throw new NotFound('Data record');
  requireRecord(actor, type, record);
  return record;
}
