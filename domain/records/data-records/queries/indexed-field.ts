import type { DataTypeRow } from '../../../../db/records/data-types.js';
import { InvalidInput } from '../../../lib/errors.js';
import { type FieldDefinition, type IndexRules, indexRulesOf } from '../../field-values.js';

/** A field that lists can be filtered or sorted by. */
export interface IndexedField {
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
