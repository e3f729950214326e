/** Field definitions and values of data types: the interface for other folders. */
export { checkFieldDefinitions } from './field-types/check-field-definitions.js';
export { type CheckValuesOptions, checkValues, normalizeValue } from './field-types/check-values.js';
export { fileIdsIn, idsOf, isFileField, recordFileLimits } from './field-types/files.js';
export { fieldSchema } from './field-types/index.js';
export { PatternBudget } from './field-types/pattern-budget.js';
export {
  indexKey,
  indexRulesOf,
  type SearchableValue,
  searchableValues,
  wordsField,
} from './field-types/searchable-values.js';
export { afterPrefix, keyPrefix, wordsOf } from './field-types/text-keys.js';
export type { FieldValues } from './field-types/types.js';
export {
  type FieldDefinition,
  type FieldType,
  fieldTypeNames,
  type IndexRules,
} from './field-types/types.js';
