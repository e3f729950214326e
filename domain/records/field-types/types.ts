import type { JsonSchema } from '../../lib/json-schema.js';
import type { IndexRules } from './index-rules.js';
import type { PatternBudget } from './pattern-budget.js';

export const fieldTypeNames = [
  'text',
  'textarea',
  'number',
  'integer',
  'boolean',
  'date',
  'datetime',
  'time',
  'email',
  'phone',
  'url',
  'select',
  'multiselect',
  'json',
  'file',
  'member',
] as const;
export type FieldType = (typeof fieldTypeNames)[number];

/** A choice of a select: its value, and what people see if that differs. */
export type FieldOption = string | { value: string; label?: string | undefined };

/** A field of a data type (specification: Data type and fields), with the rules that its values obey. */
export interface FieldDefinition {
  slug: string;
  name: string;
  fieldType: string;
  description?: string | undefined;
  required?: boolean | undefined;
  /** Lists are filtered, sorted and searched by it. */
  shouldIndex?: boolean | undefined;
  /** No two records of the type have the same value, the retired aside; the database sees to it. Indexes as well. */
  unique?: boolean | undefined;
  /** Least length of a text, value of a number, number of choices, or date. */
  min?: number | string | undefined;
  max?: number | string | undefined;
  /** A regular expression that the whole text matches. */
  pattern?: string | undefined;
  options?: readonly FieldOption[] | undefined;
}

/** A value in its stored form, or what is wrong with it. */
export type Normalized = { ok: true; value: unknown } | { ok: false; message: string };

export interface NormalizeOptions {
  /** Phone numbers without a country code are of this region (ISO 3166 alpha-2). */
  defaultRegion: string;
  /** What all patterns of the request may cost together. */
  patterns: PatternBudget;
}

/** What `min` and `max` of a field bound, if they may be given. */
export type Bounded = 'length' | 'number' | 'count' | 'date' | 'datetime' | 'time' | null;

/** How values of one field type behave. */
export interface FieldTypeRules {
  bounded: Bounded;
  takesPattern: boolean;
  takesOptions: boolean;
  /** How values are found, where the field asks for it; null where they cannot be. */
  index: IndexRules | null;
  normalize(value: unknown, field: FieldDefinition, options: NormalizeOptions): Normalized;
  /** The value's JSON Schema, for tools and documentation. Bounds and choices are added from the field. */
  schema(field: FieldDefinition): JsonSchema;
}

export function valid(value: unknown): Normalized {
  return { ok: true, value };
}

export function invalid(message: string): Normalized {
  return { ok: false, message };
}

export function optionValues(field: FieldDefinition): string[] {
  return (field.options ?? []).map((option) => (typeof option === 'string' ? option : option.value));
}
