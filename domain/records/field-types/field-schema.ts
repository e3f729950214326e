import type { JsonSchema } from '../../lib/json-schema.js';
import { fieldTypes, isFieldType } from './index.js';
import type { FieldDefinition } from './types.js';

/** A field as a JSON Schema property for tools; the title tells the model what to ask for. */
export function fieldSchema(field: FieldDefinition): JsonSchema {
  const schema = isFieldType(field.fieldType) ? fieldTypes[field.fieldType].schema(field) : {};
  return {
    title: field.name,
    ...(field.description === undefined ? {} : { description: field.description }),
    ...schema,
  };
}
