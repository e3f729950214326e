import type { EnteredTx, Tx } from '../database.js';
import { knowSubscribedEventTypes } from '../events/events.js';
import { columnsOf } from '../lib/rows.js';
import type { MemberRow } from '../people/models/member.js';
import { prepared } from '../statement.js';
import { DataTypeModel, type DataTypeRow } from './models/data-type.js';

/** A type, with what else a new record of it needs. */
interface ForNewRecord {
  type: DataTypeRow;
  /** Where phone numbers without a country code belong in its workspace. */
  defaultRegion: string;
  /** The event types that rules of the workspace wait for. */
  subscribed: ReadonlySet<string>;
}

export interface PinnedForNewRecord extends ForNewRecord {
  /** Id of the new record. */
  newId: number;
  /** The one that the record is to be of; undefined where there is no such member. */
  member: Pick<MemberRow, 'kind' | 'name'> | undefined;
}

export interface ReadForNewRecord extends ForNewRecord {
  /** Another one once the type has changed. */
  version: string;
}

interface Found extends DataTypeRow {
  defaultRegion: string;
  subscribed: string[];
}

// One statement: each costs the process as much as what it does (docs/decisions/0083-a-single-record.md).
const columns = `${columnsOf(DataTypeModel)},
    (select default_region from identity.workspaces where id = data_types.workspace_id) as "defaultRegion",
    array(select distinct event_type from event_rules
      where event_rules.workspace_id = data_types.workspace_id and event_rules.deleted_at is null) as subscribed`;

const pinning = `select ${columns}, nextval('data_records_id_seq') as "newId",
    owner.kind as "memberKind", owner.name as "memberName"
  from data_types left join members owner on owner.id = ? and owner.deleted_at is null
  where data_types.id = ? for key share of data_types`;

const reading = `select ${columns}, data_types.xmin::text as version from data_types where data_types.id = ?`;

/** `pinDataType`, with what else a new record of the type needs. */
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

/** The same as it is now, while others may change it: for `insertUnlessChanged`. */
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
