import pg from 'pg';
import { closeConnection } from './pool/close-connection.js';
import { connectionSettings, noticeLimits } from './pool/connection-settings.js';

/** The channel that the relay listens on. A notification has no payload, because the relay reads the rows. */
export const outboxChannel = 'wes_outbox';

export interface OutboxNotifier {
  /** Wakes the relay soon. Never throws, because the relay polls as well. */
  notify(): void;
  close(): Promise<void>;
}

/**
 * Wakes the relay by NOTIFY on a connection of its own, never inside a business transaction: commits that notify queue
 * behind one lock for the whole database. However many commits there are, at most one notification is under way and one
 * waits.
 */
export function createOutboxNotifier(url: string): OutboxNotifier {
  let client: pg.Client | undefined;
  let underWay: Promise<void> | undefined;
  let waiting = false;
  let closed = false;

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client;
    const fresh = new pg.Client(connectionSettings(url, 'wes outbox notifier', noticeLimits));
    fresh.on('error', () => forget(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  }

  function forget(lost: pg.Client | undefined): void {
    if (client === lost) client = undefined;
    if (lost !== undefined) void closeConnection(lost);
  }

  async function send(): Promise<void> {
    try {
      await (await connected()).query(`notify ${outboxChannel}`);
    } catch {
      // The relay finds the rows when it polls; the next notification reconnects.
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
      if (client !== undefined) await closeConnection(client);
    },
  };
}
