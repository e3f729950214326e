import { type FieldError, mostErrorsTold } from '../../domain/lib/errors.js';
import { pointerSegment } from './field-errors.js';

const deepest = 64;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Finds what JSON allows, JSON Schema cannot refuse and nobody here can use: text that PostgreSQL cannot store
 * (NUL, half a surrogate pair), in values and names, the name `__proto__`, and nesting that no request of ours
 * needs. It stops once it has found as much as is told.
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
