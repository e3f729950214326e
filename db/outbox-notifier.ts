import pg from 'pg';

/** The channel the relay listens on. A notification carries nothing: the rows are what matters. */
export const outboxChannel = 'wes_outbox';

export interface OutboxNotifier {
  /** Wakes the relay, soon. Never throws: the relay polls as well. */
  notify(): void;
  close(): Promise<void>;
}

/**
 * Wakes the relay by NOTIFY on a connection of its own, never inside a business transaction: commits that notify
 * queue behind one lock for the whole database. However many commits there are, at most one notification is
 * under way and one waits.
 */
export function createOutboxNotifier(url: string): OutboxNotifier {
  let client: pg.Client | undefined;
  let underWay: Promise<void> | undefined;
  let waiting = false;
  let closed = false;

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client;
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'wes outbox notifier',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    fresh.on('error', () => forget(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  }

  function forget(lost: pg.Client | undefined): void {
    if (client === lost) client = undefined;
    lost?.end().catch(() => {});
  }

  async function send(): Promise<void> {
    try {
      await (await connected()).query(`notify ${outboxChannel}`);
    } catch {
      // The relay finds the rows when it polls; the next notification connects anew.
      forget(client);
    }
  }

  async function work(): Promise<void> {
    while (waiting && !closed) {
      waiting = false;
      await send();
    }
    underWay = undefined;
  }

  return {
    notify() {
      waiting = true;
      underWay ??= work();
    },
    async close() {
      closed = true;
      await underWay;
      await client?.end();
    },
  };
}
