import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { RecordSearch } from '../../../../db/records/list-data-records.js';
import type { RecordCriterion, ValuesCriterion } from '../../../../db/records/record-criteria.js';
import type { RecordSort } from '../../../../db/records/record-orders.js';
import type { Actor } from '../../../kernel/actor.js';
import { InvalidInput } from '../../../lib/errors.js';
import { plainText } from '../../../lib/plain-text.js';
import { indexRulesOf, wordsField, wordsOf } from '../../field-values.js';
import { canReadAll, requireRead } from '../record-access.js';
import { indexedField, parseFilter, prefixTest } from './parse-filter.js';

/** Conditions of a search; a record has to meet all of them. */
export interface DataRecordFilter {
  memberId?: number | undefined;
  externalId?: string | undefined;
  /** Default: only records that are not retired. */
  retired?: boolean | 'all' | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedFrom?: Date | undefined;
  updatedBefore?: Date | undefined;
  /** `<slug>:<operator>:<value>`, see parse-filter.ts. */
  filters?: readonly string[] | undefined;
  /** Prefixes of words in the record's indexed texts. */
  search?: string | undefined;
}

/** The search among the records that the actor sees. @throws Forbidden for another member's records, InvalidInput */
export function recordSearch(
  actor: Actor,
  type: DataTypeRow,
  filter: DataRecordFilter,
  defaultRegion: string,
): RecordSearch {
  if (filter.memberId !== undefined) requireRead(actor, type, filter.memberId);
  const criteria: RecordCriterion[] = [
    ...(canReadAll(actor, type)
      ? []
      : [{ kind: 'visibleTo' as const, memberId: actor.memberId, before: actor.sealedAt }]),
    ...ownCriteria(filter),
    ...filterCriteria(type, filter.filters ?? [], defaultRegion),
    ...(filter.search === undefined ? [] : searchCriteria(type, filter.search)),
  ];
  const retired = filter.retired ?? false;
  return { dataTypeId: type.id, states: retired === 'all' ? [false, true] : [retired], criteria };
}

function ownCriteria(filter: DataRecordFilter): RecordCriterion[] {
  const { memberId, externalId, createdFrom, createdBefore, updatedFrom, updatedBefore } = filter;
  const criteria: RecordCriterion[] = [];
  if (memberId !== undefined) criteria.push({ kind: 'member', memberId });
  if (externalId !== undefined) criteria.push({ kind: 'externalId', externalId: plainText(externalId) });
  if (createdFrom !== undefined || createdBefore !== undefined) {
    criteria.push({ kind: 'times', column: 'createdAt', from: createdFrom, before: createdBefore });
  }
  if (updatedFrom !== undefined || updatedBefore !== undefined) {
    criteria.push({ kind: 'times', column: 'updatedAt', from: updatedFrom, before: updatedBefore });
  }
  return criteria;
}

const sortByField = 'field:';
const maxWords = 10;

/** Filters on the same single-value field are one criterion, as they test the same value. @throws InvalidInput */
function filterCriteria(
  type: Pick<DataTypeRow, 'fields'>,
  filters: readonly string[],
  defaultRegion: string,
): RecordCriterion[] {
  const criteria: ValuesCriterion[] = [];
  for (const [index, text] of filters.entries()) {
    // A query parameter that is given once is not an array, so its pointer has no index.
    const pointer = filters.length === 1 ? '/filter' : `/filter/${index}`;
    const { indexed, test } = parseFilter(type, text, { pointer, defaultRegion });
    const { by, isMany } = indexed.rules;
    const field = indexed.field.slug;
    const same = isMany ? undefined : criteria.find((one) => one.field === field);
    if (same === undefined) criteria.push({ kind: 'values', field, by, isMany, tests: [test] });
    else same.tests.push(test);
  }
  return criteria;
}

/** Requires each word of the search to be a prefix of one of the record's words. @throws InvalidInput at `/search` */
function searchCriteria(type: Pick<DataTypeRow, 'fields'>, search: string): RecordCriterion[] {
  const refuse = (message: string) => InvalidInput.field('/search', message);
  if (!type.fields.some((field) => indexRulesOf(field)?.isSearched)) {
    throw refuse('The data type has no text field with shouldIndex, so it cannot be searched.');
  }
  const words = wordsOf(search);
  if (words.length === 0) throw refuse('A search must contain letters or digits.');
  if (words.length > maxWords) throw refuse(`A search has at most ${maxWords} words.`);
  const ofWords = { kind: 'values', field: wordsField, by: 'text', isMany: true } as const;
  return words.map((word) => ({ ...ofWords, tests: [prefixTest(word)] }));
}

/** Parses `id`, `createdAt`, `updatedAt` or `field:<slug>`. @throws InvalidInput at `/sortBy` */
export function recordSort(type: Pick<DataTypeRow, 'fields'>, sortBy: string): RecordSort {
  if (sortBy === 'id' || sortBy === 'createdAt' || sortBy === 'updatedAt') return sortBy;
  const slug = sortBy.startsWith(sortByField) ? sortBy.slice(sortByField.length) : '';
  const { field, rules } = indexedField(type, slug, '/sortBy');
  if (rules.isMany) {
    throw InvalidInput.field('/sortBy', `${field.name} holds several values: nothing is sorted by it.`);
  }
  if (!rules.isOrdered) {
    throw InvalidInput.field('/sortBy', `${field.name} holds files, which have no order.`);
  }
  return { field: field.slug, by: rules.by };
}
