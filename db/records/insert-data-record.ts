import { pokingOf } from '../assignments/awaiting-runs.js';
import { markOutbox } from '../outbox.js';
import type { MemberRow } from '../people/models/member.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import type { RecordValue } from './data-record-values.js';
import type { DataRecordDetails, DataRecordRow } from './data-records.js';
import { regionOfType, type TypeInRegion } from './data-types.js';
import { DataTypeModel, type DataTypeRow } from './models/data-type.js';

interface PinnedForNewRecord extends TypeInRegion {
  newId: number;
  /** The member that the record belongs to; undefined where there is none. */
  member: Pick<MemberRow, 'kind' | 'name'> | undefined;
}

export interface ReadForNewRecord extends TypeInRegion {
  /** The event types for which the workspace has rules. */
  subscribed: ReadonlySet<string>;
  /** Differs after each change of the type. */
  version: string;
}

interface Found extends DataTypeRow {
  defaultRegion: string;
}

// One statement, because each costs the process as much as its work does (docs/decisions/0090-one-record-beside-the-batch.md).
const columns = `${DataTypeModel.columns},
    ${regionOfType}`;

const pinning = `select ${columns}, nextval('data_records_id_seq') as "newId",
    owner.kind as "memberKind", owner.name as "memberName"
  from data_types left join members owner on owner.id = ? and owner.deleted_at is null
  where data_types.id = ? for key share of data_types`;

const reading = `select ${columns}, data_types.xmin::text as version,
    array(select distinct event_type from event_rules
      where event_rules.workspace_id = data_types.workspace_id and event_rules.deleted_at is null) as subscribed
  from data_types where data_types.id = ?`;

/** `pinDataType`, with the other data that a new record of the type needs. */
export async function pinForNewRecord(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
): Promise<PinnedForNewRecord | undefined> {
  const [found] = await prepared<
    Found & { newId: number; memberKind: MemberRow['kind'] | null; memberName: string | null }
  >(tx, pinning, [memberId, dataTypeId]);
  if (found === undefined) return undefined;
  const { newId, memberKind, memberName, defaultRegion, ...type } = found;
  const member = memberKind === null ? undefined : { kind: memberKind, name: memberName };
  return { type, defaultRegion, newId, member };
}

/** Reads the same data without a lock, so that others may change the type: for `insertUnlessChanged`. */
export async function readForNewRecord(
  tx: EnteredTx,
  dataTypeId: number,
): Promise<ReadForNewRecord | undefined> {
  const [found] = await prepared<Found & { version: string; subscribed: string[] }>(tx, reading, [
    dataTypeId,
  ]);
  if (found === undefined) return undefined;
  const { version, defaultRegion, subscribed, ...type } = found;
  return { type, defaultRegion, version, subscribed: new Set(subscribed) };
}

/** The values of a new record that the database determines. */
type Inserted = Pick<DataRecordDetails, 'id' | 'memberName'>;

/**
 * Inserts a new record with its searchable values and the first entry of its history, and pokes the runs that collect
 * it, in one statement. It has no unique values and no external id, as conflicts are not reported; its id is ignored.
 * @param typeVersion the version of the type that the record was validated against
 * @returns undefined, and stores nothing, where the type has changed since or the member is no person of the workspace
 */
export async function insertUnlessChanged(
  tx: Tx,
  record: DataRecordRow,
  values: readonly RecordValue[],
  { actorMemberId, typeVersion }: { actorMemberId: number | null; typeVersion: string },
): Promise<Inserted | undefined> {
  const [inserted] = await prepared<Inserted & { hasPoked: boolean }>(tx, insertion, [
    record.memberId,
    record.dataTypeId,
    typeVersion,
    record.uuid,
    JSON.stringify(record.fieldValues),
    record.accessMode,
    record.createdAt,
    record.createdAt,
    actorMemberId,
    values.map(({ field }) => field),
    values.map(({ text }) => text),
    values.map(({ number }) => number),
    record.memberId,
  ]);
  if (inserted === undefined) return undefined;
  if (inserted.hasPoked) markOutbox(tx);
  return { id: inserted.id, memberName: inserted.memberName };
}

const insertion = `with pinned as materialized (
    select t.workspace_id, t.id as data_type_id, m.id as member_id, m.name
    from data_types t join members m on m.id = ? and m.kind = 'human' and m.deleted_at is null
    where t.id = ? and t.xmin::text = ?
    for key share of t
  ), record as (
    insert into data_records
      (workspace_id, uuid, data_type_id, member_id, is_single, field_values, access_mode, created_at, updated_at)
    select workspace_id, ?::uuid, data_type_id, member_id, false, ?::jsonb, ?::integer, ?::timestamptz, ?::timestamptz
    from pinned
    returning id, workspace_id, data_type_id, member_id, field_values, created_at
  ), change as (
    insert into data_record_changes (workspace_id, record_id, operation, after, actor_member_id, created_at)
    select workspace_id, id, 'created', field_values, ?::bigint, created_at from record
  ), searchable as (
    insert into data_record_values
      (workspace_id, data_type_id, record_id, retired, field, text_value, number_value, is_unique)
    select workspace_id, data_type_id, id, false, given.field, text_value, number_value, false
    from record, unnest(?::text[], ?::text[], ?::float8[]) as given(field, text_value, number_value)
  ), poked as (
    ${pokingOf('a.member_id = ? and exists (select from pinned)', 'records')}
  )
  select record.id, pinned.name as "memberName", exists (select from poked) as "hasPoked" from record, pinned`;
