import {
  attachToRecords,
  detachFromRecords,
  type FileForRecord,
  type FileOfRecord,
  giveFilesOfRecords,
  type ReaderOfRecord,
} from '../../../../db/files/file-attachments.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import { nobody } from '../../../kernel/who-reads.js';
import { fileIdsIn, isFileField } from '../../field-values.js';
import { accessModes } from '../record-access.js';
import type { WriteOptions } from './write-options.js';

/** A record as it was, unless it is new, and as it is written. */
interface WrittenRecord {
  before: DataRecordRow | undefined;
  after: DataRecordRow;
}

/**
 * Attaches the files that written records begin to hold, and detaches the others, in at most three statements. The files
 * have been pinned. Who may read them because of it: docs/decisions/0111-who-may-see-a-file.md.
 */
export async function saveFilesOfRecords(
  tx: Tx,
  { fileGiver, actorMemberId }: Pick<WriteOptions, 'fileGiver' | 'actorMemberId'>,
  { fields }: Pick<DataTypeRow, 'fields'>,
  written: readonly WrittenRecord[],
): Promise<void> {
  if (!fields.some(isFileField)) return;
  // Without the scope, files are given to no member.
  const giver = fileGiver ?? nobody();
  const readerOf = ({ memberId, accessMode }: DataRecordRow) =>
    fileGiver === null || accessMode === accessModes.hidden || memberId === fileGiver.memberId
      ? null
      : memberId;
  const detached: FileOfRecord[] = [];
  const attached: FileForRecord[] = [];
  const given: ReaderOfRecord[] = [];
  for (const { before, after } of written) {
    const held = before === undefined ? [] : fileIdsIn(fields, before.fieldValues);
    const holds = fileIdsIn(fields, after.fieldValues);
    const recordId = after.id;
    const memberId = readerOf(after);
    const stays = new Set(held.filter((id) => holds.includes(id)));
    for (const fileId of held) if (!stays.has(fileId)) detached.push({ recordId, fileId });
    for (const fileId of holds) if (!stays.has(fileId)) attached.push({ recordId, fileId, memberId });
    if (before !== undefined && stays.size > 0 && readersChange(before, after))
      given.push({ recordId, memberId });
  }
  // New attachments come last, because they have their reader already.
  await Promise.all([
    detachFromRecords(tx, detached),
    giveFilesOfRecords(tx, given, giver),
    attachToRecords(tx, attached, actorMemberId),
  ]);
}

function readersChange(before: DataRecordRow, after: DataRecordRow): boolean {
  const isHidden = ({ accessMode }: DataRecordRow) => accessMode === accessModes.hidden;
  return before.memberId !== after.memberId || isHidden(before) !== isHidden(after);
}
