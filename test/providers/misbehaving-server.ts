import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** An HTTP server that does what the test says, until the test ends. Returns its address. */
export async function startServer(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  await listen(server);
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers each request with this body. Returns its address. */
export function startAnswering(status: number, body: string, type = 'application/json'): Promise<string> {
  return startServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body));
}

/** A server that takes connections and says nothing. Returns its port. */
export async function startSilentServer(): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  await listen(server);
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = net.createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: net.Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
