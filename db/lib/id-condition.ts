/** A condition with its binding. */
export interface IdCondition {
  condition: string;
  binding: number | readonly number[];
}

/**
 * That a column is one of these ids. One is asked for by name of its own: PostgreSQL plans a prepared `= any(?)` anew
 * each time, as it cannot tell beforehand how many there will be, and that takes longer than carrying it out.
 */
export function idCondition(column: string, ids: readonly number[]): IdCondition {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? { condition: `${column} = ?`, binding: only }
    : { condition: `${column} = any(?)`, binding: ids };
}
