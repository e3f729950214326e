import type { Sql } from '../sql.js';

/** A condition with the values of its placeholders. */
export type Condition = readonly [text: string, ...bindings: unknown[]];

/** The condition that all of these are true. */
export function allOf(conditions: readonly Condition[]): Sql {
  return {
    text: ['true', ...conditions.map(([text]) => text)].join(' and '),
    bindings: conditions.flatMap(([, ...bindings]) => bindings),
  };
}
