import type { JsonSchema } from '../../lib/json-schema.js';
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
  'files',
  'member',
] as const;
export type FieldType = (typeof fieldTypeNames)[number];

/** A field of a data type (specification: Data type and fields). */
export interface FieldDefinition {
  slug: string;
  name: string;
  fieldType: string;
  description?: string | undefined;
  required?: boolean | undefined;
  /** Whether lists can be filtered, sorted and searched by the field. */
  shouldIndex?: boolean | undefined;
  /** Whether no two records of the type, except retired ones, may have the same value. Implies an index. */
  unique?: boolean | undefined;
  /** Whether a caller enters the value by keys, which are stored nowhere else (docs/decisions/0144-a-call-holds-the-floor.md). */
  sensitive?: boolean | undefined;
  /** The least length of a text, number of choices or files, number, or date. */
  min?: number | string | undefined;
  max?: number | string | undefined;
  /** A regular expression that has to match the whole text. */
  pattern?: string | undefined;
  /** Of a select: values, with labels that differ. */
  options?: readonly (string | { value: string; label?: string | undefined })[] | undefined;
}

export type FieldValues = Record<string, unknown>;

/** A value in its stored form, or why it is invalid. */
export type Normalized = { ok: true; value: unknown } | { ok: false; message: string };

export interface NormalizeOptions {
  /** Region (ISO 3166 alpha-2) of phone numbers without a country code. */
  defaultRegion: string;
  patterns: PatternBudget;
}

/** What `min` and `max` of a field limit; null if the type takes neither. */
export type Bounded = 'length' | 'number' | 'count' | 'date' | 'datetime' | 'time' | null;

/** How values of a field type are indexed if their field has `shouldIndex` or `unique`. */
export interface IndexRules {
  /** How the values are compared and sorted. */
  by: 'text' | 'number';
  /** Whether values are greater and smaller; if not, lists are neither sorted by them nor filtered by ranges. */
  isOrdered: boolean;
  /** Whether the search covers the words of the values. */
  isSearched: boolean;
  /** Whether a field may hold several values; lists cannot be sorted by such a field. */
  isMany: boolean;
  /** Whether the field may be `unique`. */
  takesUnique: boolean;
}

export interface FieldTypeRules {
  bounded: Bounded;
  takesPattern?: true;
  takesOptions?: true;
  /** Null if the type cannot be indexed. */
  index: IndexRules | null;
  normalize(value: unknown, field: FieldDefinition, options: NormalizeOptions): Normalized;
  /** What tells a model where to find the value. */
  hint?: string;
  /** For tools and documentation. */
  schema(field: FieldDefinition): JsonSchema;
}

export const bySearchedText: IndexRules = {
  by: 'text',
  isOrdered: true,
  isSearched: true,
  isMany: false,
  takesUnique: true,
};
export const byLongText: IndexRules = { ...bySearchedText, takesUnique: false };
export const byChoices: IndexRules = { ...bySearchedText, isMany: true, takesUnique: false };
export const byText: IndexRules = { ...bySearchedText, isSearched: false };
export const byNumber: IndexRules = { ...byText, by: 'number' };
export const byFile: IndexRules = { ...byNumber, isOrdered: false, takesUnique: false };
export const byFiles: IndexRules = { ...byFile, isMany: true };

export function valid(value: unknown): Normalized {
  return { ok: true, value };
}

export function invalid(message: string): Normalized {
  return { ok: false, message };
}

export function optionValues(field: FieldDefinition): string[] {
  return (field.options ?? []).map((option) => (typeof option === 'string' ? option : option.value));
}
