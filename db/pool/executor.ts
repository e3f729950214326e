/** An SQL statement with its parameters (`$1`, …). A named one is parsed and planned once for each connection. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string;
  /** It starts a new batch: PostgreSQL would skip a rollback after a failed statement of the same batch. */
  first?: boolean;
}

export interface QueryResult {
  /** The first word of the command tag: `SELECT`, `COMMIT`, … */
  command: string;
  rowCount: number | null;
  rows: Record<string, unknown>[];
}

/** Executes statements: in one transaction, or each on a connection of the pool. */
export interface Executor {
  execute(statement: Statement): Promise<QueryResult>;
  /**
   * Executes a statement with the end of the transaction, in one message with it: it takes no round trip, and if it fails,
   * so does the transaction. Only transactions have it.
   */
  atEnd?(statement: Statement): void;
  /** Calls `report` once the outermost transaction has committed, and never if it is rolled back. Only transactions have it. */
  afterCommit?(report: () => void): void;
  /**
   * Marks what has been given to `afterCommit` so far. @returns a function that drops what was given since. Only transactions
   * have it.
   */
  markReports?(): () => void;
  /** The event types for which the workspace has rules, enabled or not. Only transactions have it. */
  eventTypes?(): Promise<readonly string[]>;
}

/** The connection was lost. The outcome of the statements under way is unknown. */
export class ConnectionLost extends Error {
  /** SQLSTATE `connection_failure`. */
  readonly code = '08006';

  constructor(cause: Error) {
    super('the connection to the database was lost', { cause });
  }
}

/** No more statements are sent, because the result would come too late to be of use. */
export class DeadlinePassed extends Error {
  /** SQLSTATE `query_canceled`, as for a statement that took too long. */
  readonly code = '57014';

  constructor() {
    super('the time for the transaction is over');
  }
}
