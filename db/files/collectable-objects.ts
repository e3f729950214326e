import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { StoredObjectModel } from './models/stored-object.js';

export interface DoomedObject extends DoomedPlace {
  uuid: string;
}

/** A place in the order in which objects were doomed. */
export interface DoomedPlace {
  id: number;
  /** As PostgreSQL writes it: a `Date` would lose the microseconds. */
  stateSince: string;
}

export const beforeDoomed: DoomedPlace = { id: 0, stateSince: '-infinity' };

/** Dooms objects that are pending since before that time: no row will refer to them any more. @returns their number */
export async function doomAbandonedObjects(
  tx: Tx,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<number> {
  const abandoned = `id in (
    select id from stored_objects where state <> 'stored' and state = 'pending' and state_since < ?
    order by state_since limit ? for update skip locked)`;
  return StoredObjectModel.updateWhere(tx, doomed(now), abandoned, [before, limit]);
}

/** Dooms stored objects that have expired. @returns their number */
export async function doomExpiredObjects(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const expired = `id in (
    select id from stored_objects where expires_at is not null and state = 'stored' and expires_at <= ?
    order by expires_at limit ? for update skip locked)`;
  return StoredObjectModel.updateWhere(tx, doomed(now), expired, [now, limit]);
}

const doomed = (now: Date) => ({ state: 'doomed', stateSince: now }) as const;

/** Doomed objects behind a place, oldest first. No version refers to a doomed object; one that does is kept. */
export function selectDoomedObjects(
  tx: Tx,
  { after, limit }: { after: DoomedPlace; limit: number },
): Promise<DoomedObject[]> {
  return prepared(
    tx,
    `select id, uuid, state_since::text as "stateSince" from stored_objects object
     where state <> 'stored' and state = 'doomed' and (state_since, id) > (?::timestamptz, ?)
       and not exists (select from file_versions version where version.object_id = object.id)
     order by state_since, id limit ?`,
    [after.stateSince, after.id, limit],
  );
}

/** Removes the rows of doomed objects, and gives their bytes back to the workspace. @returns how many of each */
export async function removeDoomedObjects(
  tx: Tx,
  ids: readonly number[],
): Promise<{ objects: number; bytes: number }> {
  const [removed] = await prepared<{ objects: number; bytes: string | number }>(
    tx,
    `with removed as (
       delete from stored_objects where id = any(?) and state = 'doomed' returning bytes
     ), total as (
       select count(*)::integer as objects, coalesce(sum(bytes), 0)::bigint as bytes from removed
     ), released as (
       update storage_usage set bytes = greatest(0, storage_usage.bytes - total.bytes) from total
     )
     select objects, bytes from total`,
    [ids],
  );
  return { objects: removed?.objects ?? 0, bytes: Number(removed?.bytes ?? 0) };
}
