import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in front of a service for clients that cannot be given a token: its own origin becomes that of the service. */
export async function startTokenProxy(target: string, token: () => string) {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${token()}`,
      ...(origin !== undefined && { origin: origin === ownUrl() ? target : origin }),
    };
    const { method, url: path } = incoming;
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  const ownUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: ownUrl(),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
