import pg from 'pg';
import { closeConnection, connectionSettings, noticeLimits } from './connection-settings.js';

export interface ListenerOptions {
  url: string;
  /** The connection's `application_name`. */
  name: string;
  channel: string;
  /** Before reconnecting. */
  reconnectMs?: number;
  /** Between checks of the connection. */
  checkMs?: number;
}

interface ListenerHandlers {
  onNotification(payload: string): void;
  /** Notifications arrive from now on; earlier ones may have been missed. */
  onListening(): void;
}

/** Receives the notifications of one channel, on a connection of its own. */
export interface Listener {
  /** Starts to listen, and reconnects whenever the connection is lost. Further calls have no effect. */
  start(handlers: ListenerHandlers): void;
  close(): Promise<void>;
}

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
    // A half-open connection looks like an idle one, so the connection is checked by a query.
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
