import pg from 'pg';
import { Admission, ShareExceeded } from '../../domain/lib/admission.js';
import { type ConnectionLimits, connectionSettings, cutConnection } from '../connection-settings.js';

/** All connections are in use, and none became free in time. */
class ConnectionsBusy extends Error {
  override readonly name = 'ConnectionsBusy';
  /** SQLSTATE `too_many_connections`. */
  readonly code = '53300';

  constructor() {
    super('no connection became free in time');
  }
}

type ConnectionShares = Admission<'workspace' | 'holder'>;

/** Shares the connections of a pool: a workspace, and an account over all its workspaces, have a part of them. */
export function connectionShares(size: number, share: number, timeoutMs: number): ConnectionShares {
  const bound = Math.max(1, Math.floor(size * share));
  return new Admission({
    slots: size,
    each: { workspace: bound, holder: bound },
    maxWaiting: 200,
    timeoutMs,
    refuse: (full) => (full === 'slots' ? new ConnectionsBusy() : new ShareExceeded()),
  });
}

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

interface ConnectionSourceOptions extends ConnectionTerms {
  pool: ConnectionPool;
  /** Absent: no holder is limited to a share. */
  shares?: ConnectionShares;
  /** Returns the time after which results are of no use, in epoch milliseconds; undefined: no deadline. */
  deadline?: () => number | undefined;
}

/** A connection for one transaction. */
interface Lease {
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
    const { shares, isForCommand, holder } = this.#options;
    try {
      return await shares?.wait({ workspace: workspaceId ?? undefined, holder });
    } catch (error) {
      const hasStarted = isForCommand === true && this.#hasLeased;
      throw hasStarted && error instanceof ShareExceeded ? new ConnectionsBusy() : error;
    }
  }

  end(): Promise<void> {
    return this.#options.pool.end();
  }
}

function limitsUntil(deadline: number): TransactionLimits {
  const left = Math.max(1, deadline - Date.now());
  return { statementMs: left, lockMs: left, answerMs: left + 500, deadline };
}

interface ConnectionPoolOptions {
  url: string;
  /** The connections' `application_name`. */
  name: string;
  size: number;
  limits: ConnectionLimits;
}

/** The driver's pool, with an `end` that does not wait for unresponsive connections. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();

  constructor({ url, name, size, limits }: ConnectionPoolOptions) {
    this.#pool = new pg.Pool({
      ...connectionSettings(url, name, limits),
      max: size,
      idleTimeoutMillis: 30_000,
    });
    // A connection in use fails its next query. Without a listener, its loss would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      client.on('error', () => {});
    });
    this.#pool.on('remove', (client) => this.#clients.delete(client));
  }

  /** @throws NoConnection when no connection is free in time, or the server does not answer */
  async connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      if (error instanceof Error && 'code' in error) throw error;
      throw new NoConnection(error);
    }
  }

  /** Waits for the connections in use, and cuts those that remain after two seconds. */
  async end(): Promise<void> {
    const cut = setTimeout(() => this.#clients.forEach(cutConnection), 2_000);
    await this.#pool.end();
    clearTimeout(cut);
  }
}

/** No connection to the database was available in time. */
class NoConnection extends Error {
  /** SQLSTATE `sqlclient_unable_to_establish_sqlconnection`. */
  readonly code = '08001';

  constructor(cause: unknown) {
    super('no connection to the database was available in time', { cause });
  }
}
