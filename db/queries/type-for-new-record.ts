import type { Tx } from '../database.js';
import { DataTypeModel, type DataTypeRow } from '../models/data-type.js';
import type { MemberRow } from '../models/member.js';
import { columnsOf } from '../models/rows.js';
import { prepared } from '../statement.js';
import { knowSubscribedEventTypes } from './events.js';

/** What a new record is made with. */
export interface PinnedForNewRecord {
  /** As `pinDataType` gives it. */
  type: DataTypeRow;
  /** Where phone numbers without a country code belong in its workspace. */
  defaultRegion: string;
  /** Id of the new record. */
  newId: number;
  /** The one that the record is to be of; undefined where there is no such member. */
  member: Pick<MemberRow, 'kind' | 'name'> | undefined;
  /** The event types that rules of the workspace wait for. */
  subscribed: ReadonlySet<string>;
}

interface Found extends DataTypeRow {
  newId: number;
  defaultRegion: string;
  memberKind: MemberRow['kind'] | null;
  memberName: string | null;
  subscribed: string[];
}

// One statement: each costs the process as much as what it does (docs/decisions/0083-a-single-record.md).
const text = `select ${columnsOf(DataTypeModel)}, nextval('data_records_id_seq') as "newId",
    (select default_region from identity.workspaces where id = data_types.workspace_id) as "defaultRegion",
    array(select distinct event_type from event_rules
      where event_rules.workspace_id = data_types.workspace_id and event_rules.deleted_at is null) as subscribed,
    owner.kind as "memberKind", owner.name as "memberName"
  from data_types left join members owner on owner.id = ? and owner.deleted_at is null
  where data_types.id = ? for key share of data_types`;

/** `pinDataType`, with what else a new record of the type needs. */
export async function pinForNewRecord(
  tx: Tx,
  dataTypeId: number,
  memberId: number,
): Promise<PinnedForNewRecord | undefined> {
  const [found] = await prepared<Found>(tx, text, [memberId, dataTypeId]);
  if (found === undefined) return undefined;
  const { newId, defaultRegion, subscribed, memberKind, memberName, ...type } = found;
  const pinned = {
    type,
    defaultRegion,
    newId,
    member: memberKind === null ? undefined : { kind: memberKind, name: memberName },
    subscribed: new Set(subscribed),
  };
  knowSubscribedEventTypes(tx, pinned.subscribed);
  return pinned;
}
