import { multiselect, select } from './choices.js';
import { date, datetime, time } from './dates.js';
import { json } from './json.js';
import { boolean, file, integer, member, number } from './numbers.js';
import { email, phone, text, textarea, url } from './texts.js';
import type { FieldType, FieldTypeRules } from './types.js';

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
  member,
};

export function isFieldType(text: string): text is FieldType {
  return Object.hasOwn(fieldTypes, text);
}
