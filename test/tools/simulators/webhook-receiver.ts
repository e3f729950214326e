import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One webhook as it came. */
export interface ReceivedWebhook {
  path: string;
  signature: string | undefined;
  fields: Record<string, string>;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** What to do with the next ones; the default answers 204. */
  behave(handler: (response: http.ServerResponse, number: number) => void): void;
  close(): Promise<void>;
}

/** Stands where our service would be, and keeps what the carrier posts. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let handle = (response: http.ServerResponse, _number: number): void => {
    response.writeHead(204).end();
  };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = request.headers['x-twilio-signature'];
    received.push({
      path: request.url ?? '',
      signature: typeof signature === 'string' ? signature : undefined,
      fields: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))),
    });
    handle(response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave: (handler) => {
      handle = handler;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
