import type { JsonSchema } from '../../lib/json-schema.js';
import { multiselect, select } from './choices.js';
import { date, datetime, time } from './dates.js';
import { file, files } from './files.js';
import { json } from './json.js';
import { boolean, integer, member, number } from './numbers.js';
import { email, phone, text, textarea, url } from './texts.js';
import type { FieldDefinition, FieldType, FieldTypeRules } from './types.js';

export const fieldTypes: Record<FieldType, FieldTypeRules> = {
  text,
  textarea,
  number,
  integer,
  boolean,
  date,
  datetime,
  time,
  email,
  phone,
  url,
  select,
  multiselect,
  json,
  file,
  files,
  member,
};

export function isFieldType(text: string): text is FieldType {
  return Object.hasOwn(fieldTypes, text);
}

/** A field as a JSON Schema property for tools; the title tells the model what to ask for. */
export function fieldSchema(field: FieldDefinition): JsonSchema {
  if (!isFieldType(field.fieldType)) return described(field);
  const { hint, schema } = fieldTypes[field.fieldType];
  return { ...described(field, hint), ...schema(field) };
}

function described({ name, description }: FieldDefinition, hint?: string): JsonSchema {
  const told = [description, hint].filter((text) => text !== undefined);
  return { title: name, ...(told.length === 0 ? {} : { description: told.join(' ') }) };
}
