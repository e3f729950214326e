import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** How long after a call what was begun in it may still be written. */
const lateMs = 60_000;
const maxChanges = 1_000;

/**
 * The fields of a member's newest record of each type whose values come from a call in which nobody had proved who they are: what
 * a caller has said is no proof of who says it again.
 */
export async function selectClaimedFields(
  tx: Tx,
  memberId: number,
  dataTypeIds: readonly number[],
): Promise<{ dataTypeId: number; fieldSlug: string }[]> {
  if (dataTypeIds.length === 0) return [];
  return prepared(
    tx,
    `select distinct wanted.data_type_id as "dataTypeId", field.key as "fieldSlug"
     from unnest(?::bigint[]) as wanted (data_type_id)
     cross join lateral (
       select id, field_values from data_records
       where data_type_id = wanted.data_type_id and member_id = ? and not is_retired
       order by id desc limit 1
     ) newest
     cross join lateral (
       select before, after, created_at from data_record_changes where record_id = newest.id order by id desc limit ?
     ) change
     cross join lateral jsonb_each(change.after) field
     where change.before -> field.key is distinct from field.value
       and newest.field_values -> field.key = field.value
       and exists (
         select from phone_calls call
         where call.member_id = ? and call.inbound and call.created_at <= change.created_at
           and change.created_at <= coalesce(call.finished_at, 'infinity') + ? * interval '1 millisecond'
           and (call.identity_proved_at is null or call.identity_proved_at > change.created_at)
       )`,
    [dataTypeIds, memberId, maxChanges, memberId, lateMs],
  );
}
