/** A condition with its binding. */
export interface IdCondition {
  condition: string;
  binding: number | readonly number[];
}

/**
 * A condition that a column is one of these ids. A single id gets a text of its own: PostgreSQL plans a prepared `=
 * any(?)` again for each execution, because it cannot know the number of ids beforehand, and that takes longer than
 * executing it.
 */
export function idCondition(column: string, ids: readonly number[]): IdCondition {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? { condition: `${column} = ?`, binding: only }
    : { condition: `${column} = any(?)`, binding: ids };
}
