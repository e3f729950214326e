import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.js';
import type { ConnectionShares } from './connection-shares.js';

/** What a transaction may take, where that differs from what its connection was opened with. In milliseconds. */
export interface TransactionLimits {
  statementMs: number;
  lockMs: number;
  answerMs: number;
  /** When nothing more of it is asked, in epoch milliseconds. */
  deadline?: number;
}

/** For what writes or reads a whole file, or looks at whole tables. */
const patientLimits: TransactionLimits = { statementMs: 60_000, lockMs: 15_000, answerMs: 70_000 };

export interface ConnectionSourceOptions {
  pool: ConnectionPool;
  /** Absent: the connections are nobody's in particular. */
  shares?: ConnectionShares;
  /** On whose behalf connections are taken. */
  holder?: string;
  isPatient?: boolean;
  /** When the answer is of no use any more, in epoch milliseconds; undefined where there is no such time. */
  deadline?: () => number | undefined;
}

/** A connection for one transaction. */
export interface Lease {
  client: pg.PoolClient;
  limits: TransactionLimits | undefined;
  /** `broken`: it is of no use to others. */
  release(broken: boolean): void;
}

/** Where transactions get their connections from, each within the share of its holders and within its time. */
export class ConnectionSource {
  readonly #options: ConnectionSourceOptions;

  constructor(options: ConnectionSourceOptions) {
    this.#options = options;
  }

  /** The same connections, with other terms. */
  with(terms: Pick<ConnectionSourceOptions, 'holder' | 'isPatient'>): ConnectionSource {
    return new ConnectionSource({ ...this.#options, ...terms });
  }

  /** @throws ShareExceeded, ConnectionsBusy, NoConnection */
  async lease(workspaceId: number | null): Promise<Lease> {
    const { pool, shares, isPatient, deadline } = this.#options;
    const giveBack = await shares?.take(this.#holders(workspaceId));
    try {
      const client = await pool.connect();
      const until = deadline?.();
      return {
        client,
        limits: until === undefined ? (isPatient ? patientLimits : undefined) : limitsUntil(until),
        release(broken) {
          client.release(broken);
          giveBack?.();
        },
      };
    } catch (error) {
      giveBack?.();
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#options.pool.end();
  }

  #holders(workspaceId: number | null): string[] {
    const { holder } = this.#options;
    return [
      ...(workspaceId === null ? [] : [`workspace:${workspaceId}`]),
      ...(holder === undefined ? [] : [holder]),
    ];
  }
}

function limitsUntil(deadline: number): TransactionLimits {
  const left = Math.max(1, deadline - Date.now());
  return { statementMs: left, lockMs: left, answerMs: left + 500, deadline };
}
