import { countCharacters } from '../../lib/characters.js';
import type { FieldError } from '../../lib/errors.js';
import { escapePointer } from '../../lib/json-schema.js';
import { fieldTypes, isFieldType } from './index.js';
import {
  type FieldDefinition,
  type FieldValues,
  invalid,
  type Normalized,
  type NormalizeOptions,
} from './types.js';

export interface CheckValuesOptions extends NormalizeOptions {
  /** Whether this is an update: omitted fields keep their values, so required ones may be missing. */
  partial: boolean;
}

/**
 * Checks values against the fields of their data type and converts them to their stored form. Unknown slugs are
 * refused; null or a blank text clears an optional field.
 * @returns `values` holds the valid ones; a field to clear is null on an update and left out otherwise
 */
export function checkValues(
  fields: readonly FieldDefinition[],
  values: Readonly<FieldValues>,
  options: CheckValuesOptions,
): { values: FieldValues; errors: FieldError[] } {
  const known = new Map(fields.map((field) => [field.slug, field]));
  const errors: FieldError[] = [];
  const accepted: [string, unknown][] = [];
  const report = (slug: string, message: string) =>
    errors.push({ pointer: `/fieldValues/${escapePointer(slug)}`, message });

  for (const slug of Object.keys(values)) {
    if (!known.has(slug)) report(slug, 'The data type has no such field');
  }
  for (const field of fields) {
    const given = Object.hasOwn(values, field.slug) ? values[field.slug] : undefined;
    if (given === undefined) {
      if (field.required && !options.partial) report(field.slug, `${field.name} is required`);
    } else if (isEmpty(given)) {
      if (field.required) report(field.slug, `${field.name} is required`);
      else if (options.partial) accepted.push([field.slug, null]);
    } else {
      const normalized = normalizeValue(field, given, options);
      const checked = normalized.ok ? (checkRange(field, normalized.value) ?? normalized) : normalized;
      if (checked.ok) accepted.push([field.slug, checked.value]);
      else report(field.slug, `${field.name} ${checked.message}`);
    }
  }
  return { values: Object.fromEntries(accepted), errors };
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Converts a value to its stored form, or returns why it is invalid. Does not check `min` and `max`. */
export function normalizeValue(
  field: FieldDefinition,
  value: unknown,
  options: NormalizeOptions,
): Normalized {
  if (!isFieldType(field.fieldType)) return invalid('has a type that is not known');
  return fieldTypes[field.fieldType].normalize(value, field, options);
}

function checkRange(field: FieldDefinition, value: unknown): Normalized | null {
  const { min, max } = field;
  if (typeof value === 'string' && (typeof min === 'number' || typeof max === 'number')) {
    return outside(countCharacters(value), field, ' characters');
  }
  if (Array.isArray(value)) {
    return outside(value.length, field, field.fieldType === 'files' ? ' files' : ' choices');
  }
  return typeof value === 'string' || typeof value === 'number' ? outside(value, field) : null;
}

function outside(measured: number | string, { min, max }: FieldDefinition, unit = ''): Normalized | null {
  if (min !== undefined && measured < min) return invalid(`must not be less than ${min}${unit}`);
  if (max !== undefined && measured > max) return invalid(`must not be more than ${max}${unit}`);
  return null;
}
