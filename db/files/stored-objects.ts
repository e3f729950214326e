import { changedBy, prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { StorageUsageModel, StoredObjectModel, type StoredObjectRow } from './models/stored-object.js';

export type { StoredObjectRow } from './models/stored-object.js';

export type NewObject = Pick<StoredObjectRow, 'bytes' | 'mimeType' | 'createdByMemberId'> & {
  /** Null until it is known; an object is stored only with it. */
  sha256: Buffer | null;
  mailedBy?: StoredObjectRow['mailedBy'];
  mailedDomain?: StoredObjectRow['mailedDomain'];
};

/**
 * Adds bytes to what the workspace uses, unless that exceeds its quota: whether it did. Concurrent uploads follow one
 * another here, for as long as this transaction lasts.
 */
export async function reserveBytes(tx: Tx, bytes: number, quota: number): Promise<boolean> {
  if (bytes > quota) return false;
  const reserved = await changedBy(
    tx,
    `insert into storage_usage (workspace_id, bytes) values (?, ?)
     on conflict (workspace_id) do update set bytes = storage_usage.bytes + excluded.bytes
       where storage_usage.bytes + excluded.bytes <= ?`,
    [tx.workspaceId, bytes, quota],
  );
  return reserved > 0;
}

export async function countUsedBytes(tx: Tx): Promise<number> {
  return (await StorageUsageModel.first(tx, 'true'))?.bytes ?? 0;
}

/** The bytes of attachments of mails, and those of senders who were not known. */
export async function countMailedBytes(tx: Tx): Promise<{ all: number; ofStrangers: number }> {
  const usage = await StorageUsageModel.first(tx, 'true');
  return { all: usage?.mailBytes ?? 0, ofStrangers: usage?.strangerBytes ?? 0 };
}

export interface MailedLately {
  /** Up to `most`. */
  files: number;
  bytes: number;
  bytesOfDomain: number;
}

/** The attachments of senders who were not known since a time, without doomed ones: the newest `most`. */
export async function countMailedByStrangers(
  tx: Tx,
  { since, domain, most }: { since: Date; domain: Buffer | null; most: number },
): Promise<MailedLately> {
  const [row] = await prepared<MailedLately>(
    tx,
    `select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes,
       coalesce(sum(bytes) filter (where mailed_domain = ?), 0)::bigint as "bytesOfDomain"
     from (
       select bytes, mailed_domain from stored_objects
       where mailed_by = 'stranger' and state <> 'doomed' and state_since > ?
       order by state_since desc limit ?
     ) as lately`,
    [domain, since, most],
  );
  return {
    files: Number(row?.files ?? 0),
    bytes: Number(row?.bytes ?? 0),
    bytesOfDomain: Number(row?.bytesOfDomain ?? 0),
  };
}

export interface UploadsOfMember {
  /** Of all its objects that are not doomed. */
  bytes: number;
  /** Pending objects since that time. */
  underWay: number;
}

export async function countUploadsOfMember(tx: Tx, memberId: number, since: Date): Promise<UploadsOfMember> {
  const [row] = await prepared<{ bytes: number; underWay: number }>(
    tx,
    `select coalesce(sum(bytes), 0)::bigint as bytes,
       count(*) filter (where state = 'pending' and state_since > ?) as "underWay"
     from stored_objects where created_by_member_id = ? and state in ('pending', 'stored')`,
    [since, memberId],
  );
  return { bytes: Number(row?.bytes ?? 0), underWay: Number(row?.underWay ?? 0) };
}

/** Inserts a pending object. */
export async function insertObject(tx: Tx, object: NewObject, now: Date): Promise<StoredObjectRow> {
  return StoredObjectModel.insert(tx, { ...object, stateSince: now });
}

const pending = `id = ? and state = 'pending'`;

/**
 * Marks a pending object as stored, together with the row that refers to it. Undefined: it is not pending any more.
 * @param expiresAt when the collector deletes it; null: never
 */
export async function markObjectStored(
  tx: Tx,
  id: number,
  now: Date,
  expiresAt: Date | null = null,
): Promise<StoredObjectRow | undefined> {
  const stored = { state: 'stored', stateSince: now, expiresAt } as const;
  const [row] = await StoredObjectModel.updateReturning(tx, stored, pending, [id]);
  return row;
}

/** Dooms a pending object that no row will refer to. */
export async function doomPendingObject(tx: Tx, id: number, now: Date): Promise<void> {
  await StoredObjectModel.updateWhere(tx, { state: 'doomed', stateSince: now }, pending, [id]);
}
