import type { EnteredTx, Tx } from '../database.js';
import { knowSubscribedEventTypes } from '../events/events.js';
import { columnsOf } from '../lib/rows.js';
import type { MemberRow } from '../people/models/member.js';
import { prepared } from '../statement.js';
import { DataTypeModel, type DataTypeRow } from './models/data-type.js';

/** A type, with the other data that a new record of it needs. */
interface ForNewRecord {
  type: DataTypeRow;
  /** The workspace's region for phone numbers without a country code. */
  defaultRegion: string;
  /** The event types for which the workspace has rules. */
  subscribed: ReadonlySet<string>;
}

export interface PinnedForNewRecord extends ForNewRecord {
  /** Id of the new record. */
  newId: number;
  /** The member that the record belongs to; undefined where there is none. */
  member: Pick<MemberRow, 'kind' | 'name'> | undefined;
}

export interface ReadForNewRecord extends ForNewRecord {
  /** Differs after each change of the type. */
  version: string;
}

interface Found extends DataTypeRow {
  defaultRegion: string;
  subscribed: string[];
}

// One statement, because each costs the process as much as its work does (docs/decisions/0083-a-single-record.md).
const columns = `${columnsOf(DataTypeModel)},
    (select default_region from identity.workspaces where id = data_types.workspace_id) as "defaultRegion",
    array(select distinct event_type from event_rules
      where event_rules.workspace_id = data_types.workspace_id and event_rules.deleted_at is null) as subscribed`;

const pinning = `select ${columns}, nextval('data_records_id_seq') as "newId",
    owner.kind as "memberKind", owner.name as "memberName"
  from data_types left join members owner on owner.id = ? and owner.deleted_at is null
  where data_types.id = ? for key share of data_types`;

const reading = `select ${columns}, data_types.xmin::text as version from data_types where data_types.id = ?`;

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
  const { newId, memberKind, memberName, ...rest } = found;
  const pinned = {
    ...forNewRecord(rest),
    newId,
    member: memberKind === null ? undefined : { kind: memberKind, name: memberName },
  };
  knowSubscribedEventTypes(tx, pinned.subscribed);
  return pinned;
}

/** Reads the same data without a lock, so that others may change the type: for `insertUnlessChanged`. */
export async function readForNewRecord(
  tx: EnteredTx,
  dataTypeId: number,
): Promise<ReadForNewRecord | undefined> {
  const [found] = await prepared<Found & { version: string }>(tx, reading, [dataTypeId]);
  if (found === undefined) return undefined;
  const { version, ...rest } = found;
  return { ...forNewRecord(rest), version };
}

function forNewRecord({ defaultRegion, subscribed, ...type }: Found): ForNewRecord {
  return { type, defaultRegion, subscribed: new Set(subscribed) };
}
