import { type FieldError, mostErrorsTold } from '../../../domain/lib/errors.js';
import { pointerSegment } from './field-errors.js';

const deepest = 64;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Finds values that JSON allows, JSON Schema cannot refuse and the service cannot use: text that PostgreSQL cannot
 * store (NUL, unpaired surrogates) in values and names, the name `__proto__`, and nesting that no legitimate request
 * needs. Stops at the maximum number of reported errors.
 */
export function unstorableText(value: unknown): FieldError[] {
  const found: FieldError[] = [];
  const path: string[] = [];

  function refuse(message: string): void {
    found.push({ pointer: path.map(pointerSegment).join(''), message });
  }

  function visit(inner: unknown): void {
    if (typeof inner === 'string') {
      const problem = problemOf(inner);
      if (problem !== undefined) refuse(problem);
      return;
    }
    if (typeof inner !== 'object' || inner === null) return;
    if (path.length === deepest) {
      refuse(`must not be nested deeper than ${deepest} levels`);
      return;
    }
    for (const name of Object.keys(inner)) {
      if (found.length >= mostErrorsTold) return;
      const problem = problemOf(name);
      if (problem !== undefined) refuse(problem);
      path.push(name);
      if (name === '__proto__') refuse('is not a name that a field can have');
      visit((inner as Record<string, unknown>)[name]);
      path.pop();
    }
  }

  visit(value);
  return found.slice(0, mostErrorsTold);
}

function problemOf(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return loneSurrogate.test(text) ? 'must be well-formed Unicode' : undefined;
}
