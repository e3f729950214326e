import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { mostCounted } from '../records/list-data-records.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';

/** An event as the API shows it. */
export interface EventDetails {
  uuid: string;
  eventType: string;
  /** The data record that the event concerns, if any. */
  dataRecordId: number | null;
  /** True for a sample event, which a test of a rule sends. */
  isTest: boolean;
  createdAt: Date;
  /** The request body that receivers get. */
  body: string;
}

/** Selects events of the workspace; all given conditions apply. */
export interface EventFilter {
  eventType?: string;
  dataRecordId?: number;
  isTest?: boolean;
  createdFrom?: Date;
  createdBefore?: Date;
}

const details =
  raw(`e.uuid, e.event_type as "eventType", e.data_record_id as "dataRecordId", e.is_test as "isTest",
  e.created_at as "createdAt", e.body`);

export async function findEvent(tx: Tx, uuid: string): Promise<EventDetails | undefined> {
  const [found] = await prepared<EventDetails>(tx, `select ${details.text} from events e where e.uuid = ?`, [
    uuid,
  ]);
  return found;
}

/**
 * Lists a page of the workspace's events, cut where their bodies exceed the limit of a read. `total` is exact up to
 * `mostCounted`; the page lies within the first `mostCounted` events.
 */
export async function listEvents(
  tx: Tx,
  filter: EventFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<EventDetails> & { totalIsExact: boolean }> {
  const order = raw(`order by e.created_at ${page.sortOrder}, e.id ${page.sortOrder}`);
  const source = matching(filter, order);
  const [counted] = await queryInIndexOrder<{ matches: number }>(
    tx,
    sql`select count(*) as matches from (select 1 ${source} limit ${mostCounted + 1}) counted`,
  );
  const count = counted?.matches ?? 0;
  const total = Math.min(count, mostCounted);
  const totalIsExact = count <= mostCounted;
  if (offsetOf(page) >= total) return { items: [], total, totalIsExact };

  const rows = await queryInIndexOrder<Sized<EventDetails>>(
    tx,
    withinBytes(
      sql`select ${details}, octet_length(e.body) as "valueBytes", row_number() over () as place
        from (select e.* ${source} ${order} limit ${page.pageSize} offset ${offsetOf(page)}) e`,
    ),
  );
  const { items, isCut } = cutOf(rows);
  return { items, total, totalIsExact, isCut };
}

/**
 * Returns `from … where …` for a filter. The first condition selects the index, which is read in order; the others
 * filter its rows.
 */
function matching(filter: EventFilter, order: Sql): Sql {
  const { eventType, dataRecordId, isTest, createdFrom, createdBefore } = filter;
  const conditions: Sql[] = [];
  if (dataRecordId !== undefined) conditions.push(sql`e.data_record_id = ${dataRecordId}`);
  if (isTest === true) conditions.push(raw('e.is_test'));
  if (eventType !== undefined) conditions.push(sql`e.event_type = ${eventType}`);
  if (isTest === false) conditions.push(raw('not e.is_test'));
  const [first = raw('true'), ...others] = conditions;
  const found = [first];
  if (createdFrom !== undefined) found.push(sql`e.created_at >= ${createdFrom}`);
  if (createdBefore !== undefined) found.push(sql`e.created_at < ${createdBefore}`);
  return sql`from (select * from events e where ${joined(found, ' and ')} ${order} offset 0) e
    where ${joined([raw('true'), ...others], ' and ')}`;
}
