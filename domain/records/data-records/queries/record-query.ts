import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { RecordCriterion, ValuesCriterion } from '../../../../db/records/record-criteria.js';
import type { RecordSort } from '../../../../db/records/record-orders.js';
import { InvalidInput } from '../../../lib/errors.js';
import { indexRulesOf, wordsField, wordsOf } from '../../field-values.js';
import { indexedField } from './indexed-field.js';
import { parseFilter } from './parse-filter.js';
import { prefixTest } from './prefix-test.js';

const sortByField = 'field:';
const mostWords = 10;

/**
 * Parses filters such as `status:eq:open` into criteria. Filters on the same single-value field are combined into one
 * criterion, as they test the same value.
 *
 * @throws InvalidInput at `/filter`
 */
export function filterCriteria(
  type: Pick<DataTypeRow, 'fields'>,
  filters: readonly string[],
  defaultRegion: string,
): RecordCriterion[] {
  const criteria: ValuesCriterion[] = [];
  for (const [index, text] of filters.entries()) {
    // A query parameter that is given once is not an array, so its pointer has no index.
    const pointer = filters.length === 1 ? '/filter' : `/filter/${index}`;
    const { indexed, test } = parseFilter(type, text, { pointer, defaultRegion });
    const { field, rules } = indexed;
    const same = rules.isMany ? undefined : criteria.find((one) => one.field === field.slug);
    if (same === undefined) {
      criteria.push({ kind: 'values', field: field.slug, by: rules.by, isMany: rules.isMany, tests: [test] });
    } else same.tests.push(test);
  }
  return criteria;
}

/** Requires each word of the search to be a prefix of one of the record's words. @throws InvalidInput at `/search` */
export function searchCriteria(type: Pick<DataTypeRow, 'fields'>, search: string): RecordCriterion[] {
  if (!type.fields.some((field) => indexRulesOf(field)?.isSearched)) {
    throw InvalidInput.field(
      '/search',
      'The data type has no text field with shouldIndex, so it cannot be searched.',
    );
  }
  const words = wordsOf(search);
  if (words.length === 0) throw InvalidInput.field('/search', 'A search must contain letters or digits.');
  if (words.length > mostWords) {
    throw InvalidInput.field('/search', `A search has at most ${mostWords} words.`);
  }
  return words.map((word) => ({
    kind: 'values',
    field: wordsField,
    by: 'text',
    isMany: true,
    tests: [prefixTest(word)],
  }));
}

/** Parses `id`, `createdAt`, `updatedAt` or `field:<slug>`. @throws InvalidInput at `/sortBy` */
export function recordSort(type: Pick<DataTypeRow, 'fields'>, sortBy: string): RecordSort {
  if (sortBy === 'id' || sortBy === 'createdAt' || sortBy === 'updatedAt') return sortBy;
  const slug = sortBy.startsWith(sortByField) ? sortBy.slice(sortByField.length) : '';
  const { field, rules } = indexedField(type, slug, '/sortBy');
  if (rules.isMany) {
    throw InvalidInput.field('/sortBy', `${field.name} holds several values: nothing is sorted by it.`);
  }
  return { field: field.slug, by: rules.by };
}
