import type pg from 'pg';

/** How long PostgreSQL works, and this process waits, before either gives up. In milliseconds; 0 is without end. */
export interface ConnectionLimits {
  /** To connect, or for a free connection of a pool. */
  connectMs: number;
  /** PostgreSQL ends a statement that takes longer: SQLSTATE 57014. */
  statementMs: number;
  /** PostgreSQL ends a statement that waits longer for one lock: SQLSTATE 55P03. */
  lockMs: number;
  /** PostgreSQL ends a connection whose transaction is idle for longer. */
  idleInTransactionMs: number;
  /** This process gives a connection up that has not answered a message for longer. */
  answerMs: number;
}

/** Of what the api and the runs ask, and of the role `wes_app`. */
export const serviceLimits: ConnectionLimits = {
  connectMs: 5_000,
  statementMs: 10_000,
  lockMs: 5_000,
  idleInTransactionMs: 30_000,
  answerMs: 15_000,
};

/** Of the relay, and of the role `wes_relay`. An entry takes five seconds at most (`runtime/relay/deliver-entry.ts`). */
export const relayLimits: ConnectionLimits = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
  answerMs: 8_000,
};

/** Of connections that only carry notifications. */
export const noticeLimits: ConnectionLimits = { ...serviceLimits, statementMs: 4_000, answerMs: 5_000 };

/** Of migrations: they may rewrite a table, but must not hold up a running service while they wait for its lock. */
export const migrationLimits: ConnectionLimits = {
  connectMs: 10_000,
  statementMs: 3_600_000,
  lockMs: 60_000,
  idleInTransactionMs: 600_000,
  answerMs: 0,
};

/** What every connection of the service is opened with. A setting in the connection string takes precedence. */
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
    // A statement has one core: one that reads a whole table would otherwise take those of all others.
    options: '-c max_parallel_workers_per_gather=0',
  };
}
