import pg from 'pg';
import { closeConnection } from './pool/close-connection.js';
import { connectionSettings, noticeLimits } from './pool/connection-settings.js';

export interface ListenerOptions {
  url: string;
  /** What PostgreSQL lists the connection as. */
  name: string;
  channel: string;
  /** After a connection was lost, until the next attempt. */
  reconnectMs?: number;
  /** How often the connection is asked whether it still lives. */
  checkMs?: number;
}

export interface ListenerHandlers {
  onNotification(payload: string): void;
  /** Notifications come from now on; those before may have been missed. */
  onListening(): void;
}

/** Hears the notifications of a channel. */
export interface Listener {
  /** Begins to listen, on one connection, and goes on through every loss of it. Once. */
  start(handlers: ListenerHandlers): void;
  close(): Promise<void>;
}

/** Listens on a connection of its own. */
export function createListener(options: ListenerOptions): Listener {
  const { url, name, channel, reconnectMs = 1_000, checkMs = 15_000 } = options;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(handlers: ListenerHandlers): Promise<void> {
    const fresh = new pg.Client(connectionSettings(url, name, noticeLimits));
    client = fresh;
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      void closeConnection(fresh);
      if (!closed) timer = setTimeout(() => void listen(handlers), reconnectMs);
    };
    // A half-open connection looks like one on which nothing happens: it has to be asked.
    const check = () => {
      timer = setTimeout(() => void fresh.query('select 1').then(check, again), checkMs);
    };
    fresh.on('notification', ({ payload = '' }) => handlers.onNotification(payload));
    fresh.on('error', again);
    fresh.on('end', again);
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
      if (closed || lost) return;
      check();
      handlers.onListening();
    } catch {
      again();
    }
  }

  return {
    start(handlers) {
      if (client === undefined && !closed) void listen(handlers);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      if (client !== undefined) await closeConnection(client);
    },
  };
}
