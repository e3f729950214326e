import { filesOfRecords, type RecordFile } from '../../../../db/files/file-attachments.js';
import type { DataRecordDetails } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { EnteredTx } from '../../../../db/tx.js';
import { giverOf } from '../../../files/file-access.js';
import type { Actor } from '../../../kernel/actor.js';
import { isFileField } from '../../field-values.js';
import type { WrittenRecord } from '../writing/write-one-record.js';

export interface DataRecordView extends DataRecordDetails {
  /** The files that the record holds and that the caller may read, by id. Undefined: none. */
  files?: readonly RecordFile[];
  /** Its files did not fit into the answer. */
  filesAreCut?: true;
  /** What a write has done to it. */
  operation?: WrittenRecord['operation'];
}

/**
 * Adds the files that the caller may read, for which a credential needs the scope `files:read`. Who reads a record does
 * not thereby read its files (docs/decisions/0111-who-may-see-a-file.md).
 * @param type that of the records; without it, they may be of any types
 */
export async function withFiles(
  tx: EnteredTx,
  actor: Actor,
  records: readonly DataRecordDetails[],
  type?: Pick<DataTypeRow, 'fields'>,
): Promise<DataRecordView[]> {
  const reader = giverOf(actor);
  const holdsNone = records.length === 0 || (type !== undefined && !type.fields.some(isFileField));
  if (reader === null || holdsNone) return [...records];
  const ids = records.map(({ id }) => id);
  const { files: found, cutAt } = await filesOfRecords(tx, ids, reader);
  const fitting = cutAt === undefined ? records.length : ids.indexOf(cutAt);
  return records.map((record, place) => {
    if (place >= fitting) return { ...record, filesAreCut: true };
    const files = found.get(record.id);
    return files === undefined ? record : { ...record, files };
  });
}

/** `withFiles` for one record. */
export async function withItsFiles(
  tx: EnteredTx,
  actor: Actor,
  record: DataRecordDetails,
  type: Pick<DataTypeRow, 'fields'>,
): Promise<DataRecordView> {
  const [view = record] = await withFiles(tx, actor, [record], type);
  return view;
}
