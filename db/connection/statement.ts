/** An SQL statement with its parameters (`$1`, …). One with a name is parsed and planned once for each connection. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string;
}

/** What a statement answered. */
export interface Answer {
  /** The first word of the command tag: `SELECT`, `COMMIT`, … */
  command: string;
  rowCount: number | null;
  rows: Record<string, unknown>[];
}

/** Whatever statements can be asked of: a transaction, or a connection of the pool for each. */
export interface Asking {
  ask(statement: Statement): Promise<Answer>;
}
