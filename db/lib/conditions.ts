import type { Sql } from '../sql.js';

/** A condition with the values of its placeholders. */
export type Condition = readonly [text: string, ...bindings: unknown[]];

/** The condition that a filter names with a value; undefined: it names none. */
export function ifGiven(text: string, value: unknown): Condition | undefined {
  return value === undefined ? undefined : [text, value];
}

/** The condition that all of these are true. */
export function allOf(conditions: readonly (Condition | undefined)[]): Sql {
  const present = conditions.filter((one) => one !== undefined);
  return {
    text: ['true', ...present.map(([text]) => text)].join(' and '),
    bindings: present.flatMap(([, ...bindings]) => bindings),
  };
}
