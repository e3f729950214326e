import type pg from 'pg';

/** Timeouts of PostgreSQL and of this process, in milliseconds; 0 means no limit. */
export interface ConnectionLimits {
  /** For connecting, and for waiting for a free connection of a pool. */
  connectMs: number;
  /** PostgreSQL cancels a statement that takes longer: SQLSTATE 57014. */
  statementMs: number;
  /** PostgreSQL cancels a statement that waits longer for one lock: SQLSTATE 55P03. */
  lockMs: number;
  /** PostgreSQL closes a connection whose transaction is idle for longer. */
  idleInTransactionMs: number;
  /** This process gives up a connection that has not answered a message for longer. */
  answerMs: number;
}

/** For the api and the runs, and for the role `wes_app`. */
export const serviceLimits: ConnectionLimits = {
  connectMs: 5_000,
  statementMs: 10_000,
  lockMs: 5_000,
  idleInTransactionMs: 30_000,
  answerMs: 15_000,
};

/** For the relay and the role `wes_relay`. An entry takes five seconds at most (`runtime/relay/relay.ts`). */
export const relayLimits: ConnectionLimits = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
  answerMs: 8_000,
};

/** For connections that only carry notifications. */
export const noticeLimits: ConnectionLimits = { ...serviceLimits, statementMs: 4_000, answerMs: 5_000 };

/** For migrations: they may rewrite a table, but must not block a running service while they wait for its lock. */
export const migrationLimits: ConnectionLimits = {
  connectMs: 10_000,
  statementMs: 3_600_000,
  lockMs: 60_000,
  idleInTransactionMs: 600_000,
  answerMs: 0,
};

/** Returns the settings of every connection of the service. A setting in the connection string takes precedence. */
export function connectionSettings(url: string, name: string, limits: ConnectionLimits): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    query_timeout: limits.answerMs,
    // Limits a statement to one core: a scan of a whole table would otherwise take the cores of all other statements.
    options: '-c max_parallel_workers_per_gather=0',
  };
}

/** Closes a connection without notifying the server: all its pending queries fail at once. */
export function cutConnection(client: pg.ClientBase): void {
  // The driver's types omit its socket.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Ends a connection, and cuts it if the server does not answer within a second. */
export async function closeConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutConnection(client), 1_000);
  await client.end().catch(() => undefined);
  clearTimeout(cut);
}
