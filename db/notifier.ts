import { setImmediate as endOfTurn } from 'node:timers/promises';
import pg from 'pg';
import { closeConnection, connectionSettings, noticeLimits } from './connection-settings.js';

interface NotifierOptions {
  url: string;
  /** The connection's `application_name`. */
  name: string;
  /** Takes what waits to be sent, as one statement; undefined if nothing waits. */
  take(): pg.QueryConfig | undefined;
}

/**
 * Sends notifications on a connection of its own, never inside a business transaction: commits that notify queue behind
 * one lock for the whole database. At most one statement is in progress; what comes meanwhile is sent with the next.
 * Never throws, because listeners also poll.
 */
export function createNotifier({ url, name, take }: NotifierOptions) {
  let client: pg.Client | undefined;
  let inProgress: Promise<void> | undefined;
  let closed = false;

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client;
    const fresh = new pg.Client(connectionSettings(url, name, noticeLimits));
    fresh.on('error', () => forget(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  }

  function forget(lost: pg.Client | undefined): void {
    if (client === lost) client = undefined;
    if (lost !== undefined) void closeConnection(lost);
  }

  async function sendAll(): Promise<void> {
    // What follows at once on the first goes with it: each statement is a transaction.
    await endOfTurn();
    for (let next = take(); next !== undefined; next = take()) {
      try {
        await (await connected()).query(next);
      } catch {
        // Listeners find the rows when they poll; the next notification reconnects.
        forget(client);
      }
    }
    inProgress = undefined;
  }

  return {
    /** Sends soon what `take` returns. */
    wake(): void {
      if (!closed) inProgress ??= sendAll();
    },
    /** Sends what waits, and closes the connection. */
    async close(): Promise<void> {
      closed = true;
      await inProgress;
      if (client !== undefined) await closeConnection(client);
    },
  };
}

/** The channel that the relay listens on. A notification has no payload, because the relay reads the rows. */
export const outboxChannel = 'wes_outbox';
