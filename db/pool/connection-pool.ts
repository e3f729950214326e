import pg from 'pg';
import { cutConnection } from '../close-connection.js';
import { type ConnectionLimits, connectionSettings } from '../connection-settings.js';

const farewellMs = 2_000;

export interface ConnectionPoolOptions {
  url: string;
  /** The connections' `application_name`. */
  name: string;
  /** Maximum number of connections. */
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
    const cut = setTimeout(() => {
      for (const client of this.#clients) cutConnection(client);
    }, farewellMs);
    await this.#pool.end();
    clearTimeout(cut);
  }
}

/** No connection to the database was available in time. */
export class NoConnection extends Error {
  /** SQLSTATE `sqlclient_unable_to_establish_sqlconnection`. */
  readonly code = '08001';

  constructor(cause: unknown) {
    super('no connection to the database was available in time', { cause });
  }
}
