import { StoredObjectModel } from '../files/models/stored-object.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { PersonExportModel, type PersonExportRow } from './models/person-export.js';

export type { ExportFailure, PersonExportRow } from './models/person-export.js';

export async function insertPersonExport(
  tx: Tx,
  values: Pick<
    PersonExportRow,
    'memberId' | 'requestedByMemberId' | 'includesInternal' | 'keptDays' | 'createdAt'
  >,
): Promise<PersonExportRow> {
  return PersonExportModel.insert(tx, values);
}

export async function findPersonExport(tx: Tx, id: number): Promise<PersonExportRow | undefined> {
  return PersonExportModel.find(tx, id);
}

export async function lockPersonExport(tx: Tx, id: number): Promise<PersonExportRow | undefined> {
  return PersonExportModel.first(tx, 'id = ? for no key update', [id]);
}

/** The newest export of a member, of those that have what members do not see or of the others. */
export async function findNewestExport(
  tx: Tx,
  { memberId, includesInternal }: Pick<PersonExportRow, 'memberId' | 'includesInternal'>,
): Promise<PersonExportRow | undefined> {
  return PersonExportModel.first(tx, 'member_id = ? and includes_internal = ? order by id desc', [
    memberId,
    includesInternal,
  ]);
}

export interface ExportCounts {
  /** Of the whole workspace, not finished. */
  open: number;
  /** Of the member, of the same kind, since that time. */
  ofMember: number;
}

export async function countExports(
  tx: Tx,
  { memberId, includesInternal }: Pick<PersonExportRow, 'memberId' | 'includesInternal'>,
  since: Date,
): Promise<ExportCounts> {
  const recent = 'member_id = ? and includes_internal = ? and created_at > ?';
  const [open, ofMember] = await Promise.all([
    PersonExportModel.count(tx, 'finished_at is null'),
    PersonExportModel.count(tx, recent, [memberId, includesInternal, since]),
  ]);
  return { open, ofMember };
}

export async function patchPersonExport(
  tx: Tx,
  id: number,
  changes: Partial<
    Pick<
      PersonExportRow,
      | 'attempts'
      | 'objectId'
      | 'rowCount'
      | 'fileCount'
      | 'leftOutCount'
      | 'finishedAt'
      | 'expiresAt'
      | 'failureReason'
    >
  >,
): Promise<PersonExportRow> {
  return PersonExportModel.patch(tx, id, changes);
}

/** Gives up the archives that a newer one of the same kind replaces. */
export async function dropEarlierArchives(
  tx: Tx,
  { id, memberId, includesInternal }: Pick<PersonExportRow, 'id' | 'memberId' | 'includesInternal'>,
): Promise<void> {
  const earlier = 'member_id = ? and includes_internal = ? and id < ? and object_id is not null';
  await PersonExportModel.updateWhere(tx, { objectId: null }, earlier, [memberId, includesInternal, id]);
}

export async function selectOpenExports(tx: Tx, after: number, limit: number): Promise<PersonExportRow[]> {
  return PersonExportModel.where(tx, 'finished_at is null and id > ? order by id limit ?', [after, limit]);
}

export interface StoredArchive {
  objectUuid: string;
  bytes: number;
  sha256: Buffer;
}

/** The bytes of a complete archive that has not expired. */
export async function findArchive(
  tx: Tx,
  { memberId, exportUuid }: { memberId: number; exportUuid: string },
  now: Date,
): Promise<(StoredArchive & { createdAt: Date }) | undefined> {
  const [row] = await prepared<StoredArchive & { createdAt: Date }>(
    tx,
    `select object.uuid as "objectUuid", object.bytes, object.sha256, e.created_at as "createdAt"
     from person_exports e join stored_objects object on object.id = e.object_id
     where e.uuid = ? and e.member_id = ? and e.finished_at is not null and e.failure_reason is null
       and e.expires_at > ? and object.state = 'stored'`,
    [exportUuid, memberId, now],
  );
  return row;
}

/** The size of a complete archive. */
export async function findArchiveBytes(tx: Tx, objectId: number): Promise<number | undefined> {
  const [row] = await StoredObjectModel.pick(tx, ['bytes'], `id = ? and state = 'stored'`, [objectId]);
  return row?.bytes;
}
