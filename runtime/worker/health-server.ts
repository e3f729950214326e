import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

export function serveHealth(
  port: number,
  host: string,
  worker: { isReady(): boolean; registry: Registry },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/metrics') {
      response.setHeader('Content-Type', worker.registry.contentType).end(await worker.registry.metrics());
    } else if (request.url === '/health/live') {
      answer(200, { status: 'ok' });
    } else if (request.url === '/health/ready') {
      answer(worker.isReady() ? 200 : 503, { status: worker.isReady() ? 'ok' : 'starting' });
    } else {
      answer(404, { status: 'not_found' });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
