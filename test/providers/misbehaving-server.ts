import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { freePort } from '../../tools/dev/provision/ports.js';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** An HTTP server that does what the test says, until the test ends. Returns its address. */
export async function startServer(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  return `http://127.0.0.1:${await listenForTest(server, () => server.closeAllConnections())}`;
}

/** A server that answers each request with this body. Returns its address. */
export function startAnswering(status: number, body: string, type = 'application/json'): Promise<string> {
  return startServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
}

/** A server that takes connections and does nothing but `greet` them. Returns its port. */
export async function startSocketServer(greet?: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    greet?.(socket);
  });
  return listenForTest(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** A server that takes connections and says nothing. Returns its port. */
export const startSilentServer = (): Promise<number> => startSocketServer();

async function listenForTest(server: net.Server, disconnect: () => void): Promise<number> {
  const port = await listen(server);
  closers.push(async () => {
    const closed = once(server, 'close');
    server.close();
    disconnect();
    await closed;
  });
  return port;
}

/** A port on which nobody listens, and on which nobody begins to by chance. */
export const closedPort = (): Promise<number> => freePort();

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
