import { fieldTypes, isFieldType } from './index.js';
import { textKey, wordsOf } from './text-keys.js';
import type { FieldDefinition, FieldValues, IndexRules } from './types.js';

/** A value by which a record is found under one field: a text or a number, or neither if the field is empty. */
export interface SearchableValue {
  /** The field's slug, or `wordsField` for a word of any of the record's texts. */
  field: string;
  text: string | null;
  number: number | null;
  isUnique: boolean;
}

/** Not a valid slug, so no field has it. */
export const wordsField = '';

/** The most words of a record that are searchable. */
const maxWords = 1_000;

export function indexRulesOf(field: FieldDefinition): IndexRules | undefined {
  if (field.shouldIndex !== true && field.unique !== true) return undefined;
  return isFieldType(field.fieldType) ? (fieldTypes[field.fieldType].index ?? undefined) : undefined;
}

export function searchableValues(fields: readonly FieldDefinition[], values: FieldValues): SearchableValue[] {
  const found: SearchableValue[] = [];
  const words = new Set<string>();
  for (const field of fields) {
    const rules = indexRulesOf(field);
    if (rules === undefined) continue;
    const isUnique = field.unique === true;
    const keys = partsOf(values[field.slug]).map((part) => indexKey(rules, part));
    const present = new Set(keys.filter((key) => key !== undefined));
    if (present.size === 0) found.push({ field: field.slug, text: null, number: null, isUnique });
    for (const key of present) found.push({ field: field.slug, ...columnsOf(key), isUnique });
    if (!rules.isSearched) continue;
    for (const part of partsOf(values[field.slug])) for (const word of wordsOf(String(part))) words.add(word);
  }
  for (const word of [...words].slice(0, maxWords)) {
    found.push({ field: wordsField, ...columnsOf(word), isUnique: false });
  }
  return found;
}

/** Converts a value from its stored form to its comparison key; undefined if it is not of the field's type. */
export function indexKey({ by }: Pick<IndexRules, 'by'>, value: unknown): string | number | undefined {
  if (by === 'number') return typeof value === 'number' ? value : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? textKey(String(value)) : undefined;
}

function partsOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function columnsOf(key: string | number): Pick<SearchableValue, 'text' | 'number'> {
  return typeof key === 'string' ? { text: key, number: null } : { text: null, number: key };
}
