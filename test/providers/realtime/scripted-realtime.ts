import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Sent = { type: string } & Record<string, unknown>;

/** The server's end of one session, which a test drives. */
export class ServerEnd {
  readonly received: Sent[] = [];
  readonly #arrivals = new EventEmitter();

  constructor(
    readonly socket: WebSocket,
    readonly request: http.IncomingMessage,
  ) {
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      this.received.push(JSON.parse(data.toString()) as Sent);
      this.#arrivals.emit('arrival');
    });
  }

  /** Resolves to the first event of this type that has come, or comes. */
  async next(type: string): Promise<Sent> {
    for (;;) {
      const found = this.received.find((event) => event.type === type);
      if (found !== undefined) return found;
      await once(this.#arrivals, 'arrival');
    }
  }

  send(event: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ event_id: 'event_1', ...event }));
  }
}

export interface ScriptedRealtime {
  /** With `/v1`. */
  baseUrl: string;
  /** Resolves to the next session that a client opens. */
  accept(): Promise<ServerEnd>;
}

/** A realtime server that accepts connections and does nothing by itself, until the test ends. */
export async function startScriptedRealtime(): Promise<ScriptedRealtime> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  const server = http.createServer();
  const waiting: ServerEnd[] = [];
  const arrivals = new EventEmitter();
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => {
      waiting.push(new ServerEnd(opened, request));
      arrivals.emit('session');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const client of sockets.clients) client.terminate();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async accept() {
      while (waiting.length === 0) await once(arrivals, 'session');
      return waiting.shift() as ServerEnd;
    },
  };
}
