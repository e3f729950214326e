import pg from 'pg';
import { closeConnection, connectionSettings, noticeLimits } from './connection-settings.js';

interface NotifierOptions {
  url: string;
  /** The connection's `application_name`. */
  name: string;
  /** Takes what waits to be sent, as one statement; undefined if nothing waits. */
  take(): pg.QueryConfig | undefined;
}

/** Sends notifications. Its methods never throw, because listeners also poll. */
interface Notifier {
  /** Sends soon what `take` returns. */
  wake(): void;
  /** Sends what waits, and closes the connection. */
  close(): Promise<void>;
}

/**
 * Sends notifications on a connection of its own, never inside a business transaction: commits that notify queue behind
 * one lock for the whole database. At most one statement is in progress; what comes meanwhile is sent with the next.
 */
export function createNotifier({ url, name, take }: NotifierOptions): Notifier {
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
    wake() {
      if (!closed) inProgress ??= sendAll();
    },
    async close() {
      closed = true;
      await inProgress;
      if (client !== undefined) await closeConnection(client);
    },
  };
}

/** The channel that the relay listens on. A notification has no payload, because the relay reads the rows. */
export const outboxChannel = 'wes_outbox';

interface OutboxNotifier {
  /** Wakes the relay soon. Never throws, because the relay polls as well. */
  notify(): void;
  close(): Promise<void>;
}

/** However many commits there are, at most one notification is in progress and one waits. */
export function createOutboxNotifier(url: string): OutboxNotifier {
  let waiting = false;
  const notifier = createNotifier({
    url,
    name: 'wes outbox notifier',
    take() {
      if (!waiting) return undefined;
      waiting = false;
      return { text: `notify ${outboxChannel}` };
    },
  });
  return {
    notify() {
      waiting = true;
      notifier.wake();
    },
    close: () => notifier.close(),
  };
}
