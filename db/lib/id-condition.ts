/**
 * A condition that a column is one of these ids. A single id gets a text of its own: PostgreSQL plans a prepared `=
 * any(?)` again for each execution, because it cannot know the number of ids beforehand, and that takes longer than
 * executing it.
 */
export function idCondition(column: string, ids: readonly number[]) {
  return ids.length === 1
    ? { condition: `${column} = ?`, binding: ids[0] }
    : { condition: `${column} = any(?)`, binding: ids };
}
