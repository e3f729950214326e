import type http from 'node:http';
import { startServer } from '../../providers/misbehaving-server.js';

/** One webhook as it came. */
export interface ReceivedWebhook {
  path: string;
  signature: string | undefined;
  fields: Record<string, string>;
}

type Handler = (response: http.ServerResponse, number: number) => void;
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** Stands where our service would be, until the test ends, and keeps what the carrier posts. */
export async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  let handle: Handler = (response) => response.writeHead(204).end();
  const url = await startServer(async (request, response) => {
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
  /** What to do with the next webhooks; the default answers 204. */
  const behave = (handler: Handler): void => {
    handle = handler;
  };
  return { url, received, behave };
}
