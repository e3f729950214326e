import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { ValueKey, ValueTest } from '../../../../db/records/record-criteria.js';
import { InvalidInput } from '../../../lib/errors.js';
import {
  afterPrefix,
  type FieldDefinition,
  type IndexRules,
  indexKey,
  indexRulesOf,
  keyPrefix,
  normalizeValue,
  PatternBudget,
} from '../../field-values.js';

const filterOperators = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'prefix', 'empty'] as const;
type FilterOperator = (typeof filterOperators)[number];

const maxValues = 50;
const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

interface FilterPlace {
  pointer: string;
  /** Region of phone numbers without a country code. */
  defaultRegion: string;
}

/** Parses `<slug>:<operator>:<value>`. Among values of `in`, `\` escapes commas and itself. @throws InvalidInput */
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
  const bound = () => {
    const { field, rules } = indexed;
    if (!rules.isOrdered) refuse(place, `${field.name} is filtered by eq, in and empty only.`);
    return keyOf(indexed, value, place, 'bound');
  };
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

/**
 * The value's comparison key. A searched text is normalized only for equality: the bound of a range may be any text.
 */
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
  const message = checked.ok ? 'is compared to something else' : checked.message;
  throw InvalidInput.field(pointer, `${field.name} ${message}`);
}

/** Types whose filter values are not validated: an unknown option just matches no record. */
const freeTexts = new Set(['text', 'textarea', 'select']);

function typedValue(fieldType: string, by: 'text' | 'number', value: string): unknown {
  if (by === 'number') return numberForm.test(value) ? Number(value) : value;
  return fieldType === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

function splitValues(value: string, place: FilterPlace): string[] {
  const found = [...value.matchAll(/(?:^|,)((?:[^,\\]|\\.)*)/gs)];
  const values = found.map(([, one = '']) => one.replace(/\\(.)/gs, '$1'));
  if (values.length > maxValues) refuse(place, `At most ${maxValues} values may stand in a filter.`);
  return values;
}

function isOperator(text: string | undefined): text is FilterOperator {
  return filterOperators.some((operator) => operator === text);
}

function refuse({ pointer }: FilterPlace, message: string): never {
  throw InvalidInput.field(pointer, message);
}

/** A field that lists can be filtered or sorted by. */
interface IndexedField {
  field: FieldDefinition;
  rules: IndexRules;
}

/** @throws InvalidInput if the field does not exist or is not indexed */
export function indexedField(
  { fields }: Pick<DataTypeRow, 'fields'>,
  slug: string,
  pointer: string,
): IndexedField {
  const field = fields.find((one) => one.slug === slug);
  if (field === undefined) throw InvalidInput.field(pointer, 'The data type has no such field.');
  const rules = indexRulesOf(field);
  if (rules !== undefined) return { field, rules };
  throw InvalidInput.field(pointer, `${field.name} is not indexed: it needs shouldIndex.`);
}

/** Whether a normalized text begins with a prefix: a range, because the index only supports ranges. */
export function prefixTest(prefix: string): ValueTest {
  const end = afterPrefix(prefix);
  return end === null ? { from: prefix } : { from: prefix, before: end };
}
