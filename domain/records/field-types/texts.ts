import { exceeds } from '../../lib/characters.js';
import { normalizeEmail } from '../../lib/email.js';
import type { JsonSchema } from '../../lib/json-schema.js';
import { parseUrl } from '../../lib/parse-url.js';
import { normalizePhone } from '../../lib/phone.js';
import { maxPatternedLength } from '../../lib/safe-pattern.js';
import type { PatternBudget } from './pattern-budget.js';
import {
  byLongText,
  bySearchedText,
  type FieldTypeRules,
  type IndexRules,
  invalid,
  type Normalized,
  valid,
} from './types.js';

export const maxTextLength = 1_000;
export const maxTextareaLength = 10_000;
const maxUrlLength = 2_000;

export const text = freeText(maxTextLength, bySearchedText);
export const textarea = freeText(maxTextareaLength, byLongText);

export const email = formatted('must be an email address', { format: 'email' }, normalizeEmail);
export const phone = formatted('must be a phone number', {}, normalizePhone);
export const url = formatted('must be an http or https address', { format: 'uri' }, normalizeUrl);

/** PostgreSQL's jsonb stores neither NUL nor an unpaired surrogate. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);
}

function freeText(maxLength: number, index: IndexRules): FieldTypeRules {
  return {
    bounded: 'length',
    takesPattern: true,
    index,
    normalize(value, { pattern }, { patterns }) {
      if (typeof value !== 'string') return invalid('must be text');
      if (exceeds(value, maxLength)) return invalid(`must have at most ${maxLength} characters`);
      if (!isStorable(value)) return invalid('holds characters that cannot be stored');
      return pattern === undefined ? valid(value) : checkPattern(pattern, value, patterns);
    },
    schema: (field) => ({
      type: 'string',
      minLength: typeof field.min === 'number' ? field.min : field.required ? 1 : 0,
      maxLength: typeof field.max === 'number' ? field.max : maxLength,
      ...(field.pattern === undefined ? {} : { pattern: `^(?:${field.pattern})$` }),
    }),
  };
}

function checkPattern(pattern: string, value: string, patterns: PatternBudget): Normalized {
  const matches = value.length <= maxPatternedLength && patterns.matches(pattern, value);
  if (matches === undefined)
    return invalid('takes too long to compare with its pattern; write fewer or shorter values at once');
  return matches ? valid(value) : invalid('does not have the form that is asked for');
}

function formatted(
  message: string,
  form: JsonSchema,
  normalize: (value: string, region: string) => string | null,
): FieldTypeRules {
  return {
    bounded: null,
    index: bySearchedText,
    normalize(value, _field, { defaultRegion }) {
      const normalized = typeof value === 'string' ? normalize(value, defaultRegion) : null;
      return normalized === null ? invalid(message) : valid(normalized);
    },
    schema: () => ({ type: 'string', ...form }),
  };
}

function normalizeUrl(value: string): string | null {
  const trimmed = value.trim();
  if (trimmed.length > maxUrlLength || !/^https?:\/\//i.test(trimmed) || !isStorable(trimmed)) return null;
  return parseUrl(trimmed)?.href ?? null;
}
