import type { Tx } from '../database.js';
import { DataRecordModel, type DataRecordRow } from '../models/data-record.js';
import { selectRows } from '../models/rows.js';

/** Which records of a type are taken along. */
export interface TransferFilter {
  dataTypeId: number;
  memberId?: number;
  externalId?: string;
}

/** Takes the records of a type that have one of these ids or external ids, in order of id. */
export async function lockDataRecordsByIds(
  tx: Tx,
  dataTypeId: number,
  ids: readonly number[],
  externalIds: readonly string[],
): Promise<DataRecordRow[]> {
  const condition = `id = any(array(
      select id from data_records where data_type_id = ? and id = any(?::bigint[])
      union all select id from data_records where data_type_id = ? and external_id = any(?::text[])))
    order by id for no key update`;
  return selectRows(DataRecordModel, tx, condition, [dataTypeId, ids, dataTypeId, externalIds]);
}

/** Records that a list would show, in order of id, from the first after `after`. */
export async function dataRecordsAfter(
  tx: Tx,
  filter: TransferFilter & { visibleTo?: number },
  after: number,
  limit: number,
): Promise<DataRecordRow[]> {
  const { dataTypeId, memberId, externalId, visibleTo } = filter;
  const conditions: [string, ...unknown[]][] = [['data_type_id = ? and not is_retired', dataTypeId]];
  if (memberId !== undefined) conditions.push(['member_id = ?', memberId]);
  if (externalId !== undefined) conditions.push(['external_id = ?', externalId]);
  if (visibleTo !== undefined) {
    conditions.push(['(access_mode = 3 or (member_id = ? and access_mode <> 2))', visibleTo]);
  }
  conditions.push(['id > ? order by id limit ?', after, limit]);
  const bindings = conditions.flatMap(([, ...values]) => values);
  return selectRows(DataRecordModel, tx, conditions.map(([text]) => text).join(' and '), bindings);
}
