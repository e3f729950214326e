import type pg from 'pg';
import type { ConnectionPool } from './connection-pool.js';
import { ConnectionsBusy, type FairSemaphore, ShareExceeded } from './fair-semaphore.js';

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

/** The terms on which connections are taken. */
export interface ConnectionTerms {
  /** An account: all that it asks, over all its workspaces, is within one share of the connections. */
  holder?: string;
  /** For what writes or reads whole files: statements may take a minute. */
  isPatient?: boolean;
  /** One command uses the source. After its first transaction, a refusal must not read as "nothing was done". */
  isForCommand?: boolean;
}

export interface ConnectionSourceOptions extends ConnectionTerms {
  pool: ConnectionPool;
  /** Absent: the connections are nobody's in particular. */
  shares?: FairSemaphore;
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
  #hasLeased = false;

  constructor(options: ConnectionSourceOptions) {
    this.#options = options;
  }

  /** The same connections, with other terms. */
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
