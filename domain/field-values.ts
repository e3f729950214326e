/** Field definitions of data types and their values: what callers outside need, in one place. */
export { checkFieldDefinitions } from './field-types/check-field-definitions.js';
export { type CheckValuesOptions, checkValues, type FieldValues } from './field-types/check-values.js';
export { fieldSchema } from './field-types/field-schema.js';
export {
  type FieldDefinition,
  type FieldOption,
  type FieldType,
  fieldTypeNames,
} from './field-types/types.js';
