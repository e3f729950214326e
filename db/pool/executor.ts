/** An SQL statement with its parameters (`$1`, …). One with a name is parsed and planned once for each connection. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string;
  /** It undoes what came before it, which may fail: it begins a batch. */
  first?: boolean;
}

/** What a statement answered. */
export interface QueryResult {
  /** The first word of the command tag: `SELECT`, `COMMIT`, … */
  command: string;
  rowCount: number | null;
  rows: Record<string, unknown>[];
}

/** Whatever statements can be asked of: a transaction, or a connection of the pool for each. */
export interface Executor {
  execute(statement: Statement): Promise<QueryResult>;
}

/** What became of the statements under way when the connection was lost is not known. */
export class ConnectionLost extends Error {
  /** SQLSTATE `connection_failure`. */
  readonly code = '08006';

  constructor(cause: Error) {
    super('the connection to the database was lost', { cause });
  }
}

/** Nothing more is asked, as the answer would come too late to be of use. */
export class DeadlinePassed extends Error {
  /** SQLSTATE `query_canceled`, as of a statement that took too long. */
  readonly code = '57014';

  constructor() {
    super('the time for the transaction is over');
  }
}
