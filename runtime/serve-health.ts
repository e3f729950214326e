import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

/** Serves the health and the metrics of a process that has no other server, or whose server is for the public. */
export function serveHealth(
  port: number,
  host: string,
  own: { isReady(): boolean; registry: Registry },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/metrics') {
      response.setHeader('Content-Type', own.registry.contentType).end(await own.registry.metrics());
    } else if (request.url === '/health/live') {
      answer(200, { status: 'ok' });
    } else if (request.url === '/health/ready') {
      answer(own.isReady() ? 200 : 503, { status: own.isReady() ? 'ok' : 'starting' });
    } else {
      answer(404, { status: 'not_found' });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
