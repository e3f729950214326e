import type { PageOf } from '../../domain/lib/paging.js';
import { queryInIndexOrder, queryInIndexOrderPrepared, queryInSameBatch } from '../lib/index-order.js';
import { type Cut, cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { joined, raw, type Sql, sql } from '../sql.js';
import type { Tx } from '../tx.js';
import type { DataRecordDetails } from './data-records.js';
import { DataRecordModel } from './models/data-record.js';
import {
  mayRepeat,
  probeOf,
  type RecordCriterion,
  type RecordScope,
  rank,
  sourceOf,
} from './record-criteria.js';
import { orderOf, type RecordOrder, type RecordSort, rowInOrder, sortedBy, walk } from './record-orders.js';

/** Selects the records that pass all criteria. */
export interface RecordSearch extends RecordScope {
  criteria: readonly RecordCriterion[];
}

export interface RecordPage {
  /** Rows before the page. */
  offset: number;
  pageSize: number;
  sort: RecordSort;
  direction: 'asc' | 'desc';
}

/** Matches are counted up to this number. */
export const maxCounted = 10_000;

type Ask = typeof queryInIndexOrder;

/** Up to `fewMatches` are sorted. */
export const listLimits = { maxCounted, fewMatches: 1_000 };
export type ListLimits = typeof listLimits;

/**
 * Lists a page of the records that pass all criteria, within the first `maxCounted`, up to which `total` is exact. The
 * number of matches decides whether an index is scanned in the requested order and each of its records is probed, or
 * the matches are read from an index and sorted (docs/decisions/0046-lists-of-records.md).
 */
export async function selectDataRecords(
  tx: Tx,
  { criteria: given, ...scope }: RecordSearch,
  page: RecordPage,
  limits = listLimits,
): Promise<PageOf<DataRecordDetails> & { totalIsExact: boolean }> {
  const criteria =
    given.length === 0 ? [everything] : [...given].sort((one, other) => rank(one) - rank(other));
  const order = orderOf(page.sort, page.direction, criteria);
  const probed = criteria.filter((one) => one !== everything && !order.covered.includes(one));
  const [only, ...more] = criteria;
  if (only !== undefined && more.length === 0 && probed.length === 0) {
    return listInOrder(tx, scope, only, order, page, limits);
  }
  const sizes = await Promise.all(criteria.map((one) => countMatches(tx, scope, one, [], limits.maxCounted)));
  const driver = criteria[sizes.indexOf(Math.min(...sizes))] ?? everything;
  const others = criteria.filter((one) => one !== driver);
  const matches =
    others.length === 0
      ? Math.min(...sizes)
      : await countMatches(tx, scope, driver, others, limits.maxCounted);
  const counted = totalOf(matches, limits);

  const expected = Math.min(page.pageSize, counted.total - page.offset);
  if (expected <= 0) return { items: [], ...counted };
  if (probed.length === 0 || matches > limits.fewMatches) {
    // A scan that finds too few costs no more than the sorting that follows.
    const length = probed.length === 0 ? page.offset + page.pageSize : 2 * counted.total;
    const { items, isCut } = await readRecords(tx, walkedMatches(order, scope, probed, length), page);
    if (probed.length === 0 || isCut || items.length >= expected) return { items, isCut, ...counted };
  }
  const { items, isCut } = await readRecords(tx, sortedMatches(order, scope, driver, others), page);
  return { items, isCut, ...counted };
}

const everything: RecordCriterion = { kind: 'all' };

/** For one criterion that the index of the order covers: one message reads rows and count. */
async function listInOrder(
  tx: Tx,
  scope: RecordScope,
  criterion: RecordCriterion,
  order: RecordOrder,
  page: RecordPage,
  limits: ListLimits,
): Promise<PageOf<DataRecordDetails> & { totalIsExact: boolean }> {
  const walked = walkedMatches(order, scope, [], page.offset + page.pageSize);
  const [matches, { items, isCut }] = await Promise.all([
    countMatches(tx, scope, criterion, [], limits.maxCounted, queryInIndexOrderPrepared),
    readRecords(tx, walked, page, queryInSameBatch),
  ]);
  return { items, isCut, ...totalOf(matches, limits) };
}

function totalOf(matches: number, { maxCounted }: ListLimits): { total: number; totalIsExact: boolean } {
  return { total: Math.min(matches, maxCounted), totalIsExact: matches <= maxCounted };
}

/** Counts the records that pass, if not more than `most`; otherwise returns some greater number. */
async function countMatches(
  tx: Tx,
  scope: RecordScope,
  driver: RecordCriterion,
  others: readonly RecordCriterion[],
  most: number,
  ask: Ask = queryInIndexOrder,
): Promise<number> {
  const found = sql`select found.record_id from (${sourceOf(scope, driver)}) found where ${all(others)}`;
  const records = raw(mayRepeat(driver) ? 'count(distinct record_id)' : 'count(*)');
  for (let limit = most + 1; ; limit *= 4) {
    const [counted] = await ask<{ entries: number; records: number }>(
      tx,
      sql`select count(*) as entries, ${records} as records from (${found} limit ${limit}) entries`,
    );
    const { entries, records: different } = counted ?? { entries: 0, records: 0 };
    if (entries < limit || different > most) return different;
  }
}

/** SQL for those that pass among the first `length` records in the requested order. */
function walkedMatches(
  order: RecordOrder,
  scope: RecordScope,
  probed: readonly RecordCriterion[],
  length: number,
): Sql {
  return sql`select found.record_id from (${walk(order, scope, length)}) found where ${all(probed)}`;
}

/** SQL for all records that pass, in the requested order. */
function sortedMatches(
  order: RecordOrder,
  scope: RecordScope,
  driver: RecordCriterion,
  others: readonly RecordCriterion[],
): Sql {
  const distinct = raw(mayRepeat(driver) ? 'distinct' : '');
  return sql`select found.record_id from (select ${distinct} record_id from (${sourceOf(scope, driver)}) entries) found
    ${rowInOrder(order)} where ${all(others)} order by ${sortedBy(order)}`;
}

/** Reads the page of these ids, in their order, as complete records, as far as they fit into a read. */
async function readRecords(
  tx: Tx,
  ids: Sql,
  { offset, pageSize }: Pick<RecordPage, 'offset' | 'pageSize'>,
  ask: Ask = queryInIndexOrder,
): Promise<Cut<DataRecordDetails>> {
  // Each record is looked up by itself: PostgreSQL might read a join by the members.
  const page = sql`select record.*,
      (select name from members where members.id = record."memberId") as "memberName"
    from (${ids} limit ${pageSize} offset ${offset}) ids
    cross join lateral (select ${raw(DataRecordModel.columns)}, value_bytes as "valueBytes" from data_records
      where data_records.id = ids.record_id limit 1) record`;
  return cutOf(await ask<Sized<DataRecordDetails>>(tx, withinBytes(page)));
}

/** A condition that the record `found.record_id` passes all criteria. */
export function all(criteria: readonly RecordCriterion[]): Sql {
  return joined([raw('true'), ...criteria.map(probeOf)], ' and ');
}
