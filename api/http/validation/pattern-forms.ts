import { nameForm, namePattern } from '../../../domain/lib/names.js';

const forms = new Map([[namePattern, nameForm]]);

/** The keyword `pattern` of a schema, with what its error says in place of the expression. */
export function patternOf(pattern: string, form: string): { pattern: string } {
  forms.set(pattern, form);
  return { pattern };
}

/** The error message for a text that does not match a pattern. */
export function patternMessage(pattern: string): string {
  return forms.get(pattern) ?? `must match ${pattern}`;
}
