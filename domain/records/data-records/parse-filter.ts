import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { ValueKey, ValueTest } from '../../../db/records/record-criteria.js';
import { InvalidInput } from '../../lib/errors.js';
import { indexKey, keyPrefix, normalizeValue, PatternBudget } from '../field-values.js';
import { type IndexedField, indexedField } from './indexed-field.js';
import { prefixTest } from './prefix-test.js';

/** What may stand between slug and value. */
export const filterOperators = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'prefix', 'empty'] as const;
type FilterOperator = (typeof filterOperators)[number];

const mostValues = 50;
const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export interface FilterPlace {
  pointer: string;
  /** Where phone numbers without a country code belong. */
  defaultRegion: string;
}

/**
 * Reads a filter, `<slug>:<operator>:<value>`. Values of `in` stand between commas; in a value, `\` goes before a comma
 * or itself.
 *
 * @throws InvalidInput
 */
export function parseFilter(
  type: Pick<DataTypeRow, 'fields'>,
  text: string,
  place: FilterPlace,
): { indexed: IndexedField; test: ValueTest } {
  const [, slug = '', operator, value = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  const indexed = indexedField(type, slug, place.pointer);
  if (!isOperator(operator)) refuse(place, `A filter is one of ${filterOperators.join(', ')}.`);
  return { indexed, test: testOf(indexed, operator, value, place) };
}

function testOf(
  indexed: IndexedField,
  operator: FilterOperator,
  value: string,
  place: FilterPlace,
): ValueTest {
  const bound = () => keyOf(indexed, value, place, 'bound');
  switch (operator) {
    case 'eq':
      return { among: [keyOf(indexed, value, place, 'equal')] };
    case 'in':
      return { among: splitValues(value, place).map((one) => keyOf(indexed, one, place, 'equal')) };
    case 'lt':
      return { before: bound() };
    case 'lte':
      return { to: bound() };
    case 'gt':
      return { after: bound() };
    case 'gte':
      return { from: bound() };
    case 'prefix': {
      const prefix = keyPrefix(value);
      if (indexed.rules.by === 'text' && prefix !== '') return prefixTest(prefix);
      return refuse(place, `${indexed.field.name} has no texts that begin with this.`);
    }
    case 'empty':
      if (value === 'true' || value === 'false') return { isEmpty: value === 'true' };
      return refuse(place, 'empty is true or false.');
  }
}

/** What the value is compared as. Texts in a form of their own are brought into it where they are to be the same. */
function keyOf(
  { field, rules }: IndexedField,
  value: string,
  { pointer, defaultRegion }: FilterPlace,
  use: 'equal' | 'bound',
): ValueKey {
  const given = typedValue(field.fieldType, rules.by, value);
  const isFree = rules.isMany || (rules.isSearched && use === 'bound') || freeTexts.has(field.fieldType);
  const checked = isFree
    ? { ok: true as const, value: given }
    : normalizeValue(field, given, { defaultRegion, patterns: new PatternBudget() });
  const key = checked.ok ? indexKey(rules, checked.value) : undefined;
  if (key !== undefined) return key;
  throw InvalidInput.field(
    pointer,
    `${field.name} ${checked.ok ? 'is compared to something else' : checked.message}`,
  );
}

/** An option that does not exist, and a text that does not fit, are just nobody's. */
const freeTexts = new Set(['text', 'textarea', 'select']);

function typedValue(fieldType: string, by: 'text' | 'number', value: string): unknown {
  if (by === 'number') return numberForm.test(value) ? Number(value) : value;
  return fieldType === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

function splitValues(value: string, place: FilterPlace): string[] {
  const values = [...value.matchAll(/(?:^|,)((?:[^,\\]|\\.)*)/gs)].map(([, one = '']) =>
    one.replace(/\\(.)/gs, '$1'),
  );
  if (values.length > mostValues) refuse(place, `At most ${mostValues} values may stand in a filter.`);
  return values;
}

function isOperator(text: string | undefined): text is FilterOperator {
  return filterOperators.some((operator) => operator === text);
}

function refuse({ pointer }: FilterPlace, message: string): never {
  throw InvalidInput.field(pointer, message);
}
