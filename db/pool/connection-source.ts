import type pg from 'pg';
import { ConnectionsBusy, type FairSemaphore, ShareExceeded } from '../lib/fair-semaphore.js';
import type { ConnectionPool } from './connection-pool.js';

/** Limits of one transaction, where they differ from those of its connection. In milliseconds. */
export interface TransactionLimits {
  statementMs: number;
  lockMs: number;
  answerMs: number;
  /** The time after which no more statements are sent, in epoch milliseconds. */
  deadline?: number;
}

/** For reading or writing a whole file, or scanning whole tables. */
const patientLimits: TransactionLimits = { statementMs: 60_000, lockMs: 15_000, answerMs: 70_000 };

/** The terms on which connections are leased. */
export interface ConnectionTerms {
  /** An account: its transactions, over all its workspaces, count towards one share of the connections. */
  holder?: string;
  /** For reading or writing whole files: statements may take a minute. */
  isPatient?: boolean;
  /** The source serves one command. After its first transaction, a rejection must not read as "nothing was done". */
  isForCommand?: boolean;
}

export interface ConnectionSourceOptions extends ConnectionTerms {
  pool: ConnectionPool;
  /** Absent: no holder is limited to a share. */
  shares?: FairSemaphore;
  /**
   * Returns the time after which results are of no use, in epoch milliseconds; undefined where there is no deadline.
   */
  deadline?: () => number | undefined;
}

/** A connection for one transaction. */
export interface Lease {
  client: pg.PoolClient;
  limits: TransactionLimits | undefined;
  /** `broken`: the connection is closed instead of reused. */
  release(broken: boolean): void;
}

/** Leases connections to transactions, each within the shares of its holders and within its deadline. */
export class ConnectionSource {
  readonly #options: ConnectionSourceOptions;
  #hasLeased = false;

  constructor(options: ConnectionSourceOptions) {
    this.#options = options;
  }

  /** Returns a source of the same connections on other terms. */
  with(terms: ConnectionTerms): ConnectionSource {
    return new ConnectionSource({ ...this.#options, ...terms });
  }

  /**
   * @throws ShareExceeded, ConnectionsBusy, NoConnection. After the first transaction of a command, ConnectionsBusy
   *   replaces ShareExceeded, which clients read as "nothing was done"
   */
  async lease(workspaceId: number | null): Promise<Lease> {
    const { pool, isPatient, deadline } = this.#options;
    const giveBack = await this.#takeShare(workspaceId);
    this.#hasLeased = true;
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

  async #takeShare(workspaceId: number | null): Promise<(() => void) | undefined> {
    const { shares, isForCommand } = this.#options;
    try {
      return await shares?.acquire(this.#holders(workspaceId));
    } catch (error) {
      const hasBegun = isForCommand === true && this.#hasLeased;
      throw hasBegun && error instanceof ShareExceeded ? new ConnectionsBusy() : error;
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
