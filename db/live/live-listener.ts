import pg from 'pg';
import { liveChannel, type Notice, readNotice } from './notices.js';

export interface LiveListenerOptions {
  /** Role `wes_app`. */
  url: string;
  /** After a connection was lost, until the next attempt. */
  reconnectMs?: number;
  /** How often the connection is asked whether it still lives. */
  checkMs?: number;
}

export interface LiveHandlers {
  onNotice(notice: Notice): void;
  /** Notices come from now on; whatever was told before may have been missed. */
  onListening(): void;
}

/** Hears what the processes tell each other about chats. */
export interface LiveListener {
  /** Begins to listen, on one connection, and goes on through every loss of it. Once. */
  start(handlers: LiveHandlers): void;
  close(): Promise<void>;
}

/** Listens on a connection of its own. */
export function createLiveListener(options: LiveListenerOptions): LiveListener {
  const { url, reconnectMs = 1_000, checkMs = 15_000 } = options;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(handlers: LiveHandlers): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'wes live listener',
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    client = fresh;
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      fresh.end().catch(() => undefined);
      if (!closed) timer = setTimeout(() => void listen(handlers), reconnectMs);
    };
    // A half-open connection looks like one on which nothing happens: it has to be asked.
    const check = () => {
      timer = setTimeout(() => void fresh.query('select 1').then(check, again), checkMs);
    };
    fresh.on('notification', ({ payload = '' }) => {
      const notice = readNotice(payload);
      if (notice !== undefined) handlers.onNotice(notice);
    });
    fresh.on('error', again);
    fresh.on('end', again);
    try {
      await fresh.connect();
      await fresh.query(`listen ${liveChannel}`);
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
      await client?.end().catch(() => undefined);
    },
  };
}
