import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { allOf, type Condition } from '../lib/conditions.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { maxCounted } from '../records/list-data-records.js';
import type { Sql } from '../sql.js';
import type { Tx } from '../tx.js';
import { EventModel, type EventRow } from './models/event.js';

const shown = ['uuid', 'eventType', 'dataRecordId', 'isTest', 'createdAt', 'body'] as const;
/** An event as the API shows it, with the body that receivers get. */
export type EventDetails = Pick<EventRow, (typeof shown)[number]>;

/** Selects events of the workspace; all given conditions apply. */
export interface EventFilter {
  eventType?: string;
  dataRecordId?: number;
  isTest?: boolean;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
}

export async function findEvent(tx: Tx, uuid: string): Promise<EventDetails | undefined> {
  return (await EventModel.pick(tx, shown, 'uuid = ?', [uuid]))[0];
}

/** Counts up to `maxCounted` matches of a `from … where …`. */
export async function countMatches(
  tx: Tx,
  { text, bindings }: Sql,
): Promise<{ total: number; totalIsExact: boolean }> {
  const [counted] = await queryInIndexOrder<{ matches: number }>(tx, {
    text: `select count(*) as matches from (select 1 ${text} limit ?) counted`,
    bindings: [...bindings, maxCounted + 1],
  });
  const count = counted?.matches ?? 0;
  return { total: Math.min(count, maxCounted), totalIsExact: count <= maxCounted };
}

/** Lists a page within the first `maxCounted` events, cut where their bodies exceed the limit of a read. */
export async function selectEvents(
  tx: Tx,
  filter: EventFilter,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<EventDetails> & { totalIsExact: boolean }> {
  const order = `order by e.created_at ${page.sortOrder}, e.id ${page.sortOrder}`;
  const source = matching(filter, order);
  const counted = await countMatches(tx, source);
  if (offsetOf(page) >= counted.total) return { items: [], ...counted };

  const rows = await queryInIndexOrder<Sized<EventDetails>>(
    tx,
    withinBytes({
      text: `select e.uuid, e.event_type as "eventType", e.data_record_id as "dataRecordId", e.is_test as "isTest",
          e.created_at as "createdAt", e.body, octet_length(e.body) as "valueBytes"
        from (select e.* ${source.text} ${order} limit ? offset ?) e`,
      bindings: [...source.bindings, page.pageSize, offsetOf(page)],
    }),
  );
  const { items, isCut } = cutOf(rows);
  return { items, ...counted, isCut };
}

/** Returns `from … where …` for a filter. The first condition selects the index; the others filter its rows. */
function matching(filter: EventFilter, order: string): Sql {
  const { eventType, dataRecordId, isTest, createdFrom, createdBefore } = filter;
  const conditions: Condition[] = [];
  if (dataRecordId !== undefined) conditions.push(['e.data_record_id = ?', dataRecordId]);
  if (isTest === true) conditions.push(['e.is_test']);
  if (eventType !== undefined) conditions.push(['e.event_type = ?', eventType]);
  if (isTest === false) conditions.push(['not e.is_test']);
  const inIndex = conditions.splice(0, 1);
  if (createdFrom !== undefined) inIndex.push(['e.created_at >= ?', createdFrom]);
  if (createdBefore !== undefined) inIndex.push(['e.created_at < ?', createdBefore]);
  const [found, filtered] = [allOf(inIndex), allOf(conditions)];
  return {
    text: `from (select * from events e where ${found.text} ${order} offset 0) e where ${filtered.text}`,
    bindings: [...found.bindings, ...filtered.bindings],
  };
}
