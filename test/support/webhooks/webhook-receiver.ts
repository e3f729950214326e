import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One webhook as it came. */
export interface ReceivedWebhook {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  receivedAt: number;
}

/** How a webhook is answered; `undefined` leaves it without an answer. */
export type WebhookAnswer = { status?: number; headers?: Record<string, string>; body?: string };

export type Behaviour = (
  webhook: ReceivedWebhook,
  number: number,
) => WebhookAnswer | undefined | Promise<WebhookAnswer | undefined>;

/** Somebody else's server, to which webhooks go. */
export interface WebhookReceiver {
  /** Of a receiver of one's own on it. */
  url(path?: string): string;
  /** What came, in order. */
  received(path?: string): ReceivedWebhook[];
  /** How many were under way at the same time, at most. */
  readonly maxAtOnce: number;
  /** What becomes of the next ones; 204 unless told. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let behaviour: Behaviour = () => ({});
  let underWay = 0;
  let maxAtOnce = 0;
  const server = http.createServer(async (request, response) => {
    underWay += 1;
    maxAtOnce = Math.max(maxAtOnce, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const webhook = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      receivedAt: Date.now(),
    };
    received.push(webhook);
    const answer = await behaviour(webhook, received.length);
    if (answer === undefined) return;
    response.writeHead(answer.status ?? 204, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/hooks') => `http://127.0.0.1:${port}${path}`,
    received: (path) => received.filter((one) => path === undefined || one.path === path),
    get maxAtOnce() {
      return maxAtOnce;
    },
    behave: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
