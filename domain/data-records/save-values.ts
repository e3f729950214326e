import type { Tx } from '../../db/database.js';
import { type DataRecordDetails, type DataRecordRow, findDataRecord } from '../../db/queries/data-records.js';
import type { DataTypeRow } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { workspaceRegion } from '../workspaces/workspace-region.js';
import { checkRecordValues, type FieldValues, overlay } from './check-record-values.js';
import { pokeCollectingRuns } from './poke-collecting-runs.js';
import { requireWrite } from './record-access.js';
import { changeRecord } from './recorded-writes.js';

/** What the three ways to update a record share. The transaction holds type and record. */
export async function saveValues(
  tx: Tx,
  context: CommandContext,
  type: DataTypeRow,
  record: DataRecordRow,
  changes: { fieldValues: FieldValues; assignmentTaskId?: number },
): Promise<DataRecordDetails> {
  const { actor, clock } = context;
  requireWrite(actor, type, record.memberId);
  const values = checkRecordValues(type, changes.fieldValues, {
    partial: true,
    defaultRegion: await workspaceRegion(context, tx),
  });
  const writer = { actorMemberId: actor.memberId, now: clock.now() };
  const fieldValues = overlay(record.fieldValues, values);
  const updated = await changeRecord(tx, writer, record, { ...changes, fieldValues });
  await pokeCollectingRuns(tx, updated.memberId);
  return recordDetails(tx, updated);
}

/** A record as it stands after a write. */
export async function recordDetails(
  tx: Tx,
  { id, dataTypeId }: Pick<DataRecordRow, 'id' | 'dataTypeId'>,
): Promise<DataRecordDetails> {
  const details = await findDataRecord(tx, dataTypeId, id);
  if (details === undefined) throw new NotFound('Data record');
  return details;
}
