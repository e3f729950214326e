import type { FieldError } from '../../domain/errors.js';
import { pointerSegment } from './field-errors.js';

const deepest = 64;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Finds text that PostgreSQL cannot store (NUL, half a surrogate pair), in values and names, and nesting that no
 * request of ours needs. JSON allows all of it, JSON Schema cannot refuse it.
 */
export function unstorableText(value: unknown, pointer = '', depth = 0): FieldError[] {
  if (typeof value === 'string') return problemsOf(value, pointer);
  if (typeof value !== 'object' || value === null) return [];
  if (depth === deepest) return [{ pointer, message: `must not be nested deeper than ${deepest} levels` }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const inside = pointer + pointerSegment(name);
    return [...problemsOf(name, pointer), ...unstorableText(inner, inside, depth + 1)];
  });
}

function problemsOf(text: string, pointer: string): FieldError[] {
  if (text.includes('\u0000')) return [{ pointer, message: 'must not contain the NUL character' }];
  if (loneSurrogate.test(text)) return [{ pointer, message: 'must be well-formed Unicode' }];
  return [];
}
