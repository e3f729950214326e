import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { mostCounted } from '../records/list-data-records.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** An event as the API shows it, with the body that receivers get. */
export interface EventDetails {
  uuid: string;
  eventType: string;
  dataRecordId: number | null;
  /** True for a sample. */
  isTest: boolean;
  createdAt: Date;
  body: string;
}

/** Selects events of the workspace; all given conditions apply. */
export interface EventFilter {
  eventType?: string;
  dataRecordId?: number;
  isTest?: boolean;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
}

const details =
  raw(`e.uuid, e.event_type as "eventType", e.data_record_id as "dataRecordId", e.is_test as "isTest",
  e.created_at as "createdAt", e.body`);

export async function findEvent(tx: Tx, uuid: string): Promise<EventDetails | undefined> {
  const text = `select ${details.text} from events e where e.uuid = ?`;
  return (await prepared<EventDetails>(tx, text, [uuid]))[0];
}

/** Counts up to `mostCounted` matches of a `from … where …`. */
export async function countMatches(tx: Tx, source: Sql): Promise<{ total: number; totalIsExact: boolean }> {
  const [counted] = await queryInIndexOrder<{ matches: number }>(
    tx,
    sql`select count(*) as matches from (select 1 ${source} limit ${mostCounted + 1}) counted`,
  );
  const count = counted?.matches ?? 0;
  return { total: Math.min(count, mostCounted), totalIsExact: count <= mostCounted };
}

/** Lists a page within the first `mostCounted` events, cut where their bodies exceed the limit of a read. */
export async function selectEvents(
  tx: Tx,
  filter: EventFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<EventDetails> & { totalIsExact: boolean }> {
  const order = raw(`order by e.created_at ${page.sortOrder}, e.id ${page.sortOrder}`);
  const source = matching(filter, order);
  const counted = await countMatches(tx, source);
  if (offsetOf(page) >= counted.total) return { items: [], ...counted };

  const rows = await queryInIndexOrder<Sized<EventDetails>>(
    tx,
    withinBytes(
      sql`select ${details}, octet_length(e.body) as "valueBytes", row_number() over () as place
        from (select e.* ${source} ${order} limit ${page.pageSize} offset ${offsetOf(page)}) e`,
    ),
  );
  const { items, isCut } = cutOf(rows);
  return { items, ...counted, isCut };
}

/** Returns `from … where …` for a filter. The first condition selects the index; the others filter its rows. */
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
