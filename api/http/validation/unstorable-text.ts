import { type FieldError, maxErrorsListed } from '../../../domain/lib/errors.js';
import { pointerSegment } from './field-errors.js';

const deepest = 64;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Finds what JSON Schema cannot refuse and the service cannot use: text that PostgreSQL cannot store (NUL, unpaired
 * surrogates) in values and names, the name `__proto__`, and nesting that no legitimate request needs.
 */
export function unstorableText(value: unknown): FieldError[] {
  const found: FieldError[] = [];
  const path: string[] = [];

  function refuse(message: string): void {
    found.push({ pointer: path.map(pointerSegment).join(''), message });
  }

  function checkText(text: string): void {
    if (text.includes('\u0000')) refuse('must not contain the NUL character');
    else if (loneSurrogate.test(text)) refuse('must be well-formed Unicode');
  }

  function visit(inner: unknown): void {
    if (typeof inner === 'string') checkText(inner);
    if (typeof inner !== 'object' || inner === null) return;
    if (path.length === deepest) {
      refuse(`must not be nested deeper than ${deepest} levels`);
      return;
    }
    for (const name of Object.keys(inner)) {
      if (found.length >= maxErrorsListed) return;
      checkText(name);
      path.push(name);
      if (name === '__proto__') refuse('is not a name that a field can have');
      visit((inner as Record<string, unknown>)[name]);
      path.pop();
    }
  }

  visit(value);
  return found.slice(0, maxErrorsListed);
}
