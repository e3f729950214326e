/**
 * A receiver of webhooks: checks who sent them and when, takes each event once, and answers at once.
 *
 *     WEBHOOK_SECRET=whsec_… PORT=8080 npx tsx docs/webhook-receiver/receiver.ts
 *
 * `WEBHOOK_VERIFY=library` has the signature checked by the package `standardwebhooks` instead of by hand. Use either:
 * both signatures are of the same bytes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';

/** What is older has perhaps been recorded and sent again by somebody else. */
const toleranceSeconds = 5 * 60;

const maxBodyLength = 16 * 1024 * 1024;

export interface WebhookEvent {
  event: string;
  id: string;
  [field: string]: unknown;
}

/** Whether a body is what the holder of the secret sent, less than five minutes ago. */
export type Verify = (secret: string, headers: IncomingHttpHeaders, body: Buffer) => boolean;

/** `X-Webhook-Signature: t=<unix seconds>,v1=<hex>`, with one `v1` for each secret that is valid now. */
export const verifyByHand: Verify = (secret, headers, body) => {
  const parts = String(headers['x-webhook-signature'] ?? '')
    .split(',')
    .map((part) => part.split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1];
  if (!isFresh(timestamp)) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return parts.some(([name, value = '']) => name === 'v1' && equal(expected, Buffer.from(value, 'hex')));
};

/** The same by Standard Webhooks' own package, which takes a delivery that is exactly five minutes old. */
export const verifyWithLibrary: Verify = (secret, headers, body) => {
  if (!isFresh(headers['webhook-timestamp'])) return false;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  try {
    new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' }).verify(
      body,
      Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')])),
    );
    return true;
  } catch {
    return false;
  }
};

/** Clocks differ: what comes from the future is refused as well, beyond the same five minutes. */
function isFresh(timestamp: unknown): boolean {
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) < toleranceSeconds;
}

/** Takes as long for any two of a length: how much of a guess is right cannot be measured. */
function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The bytes as they came: parsed and written again, they would no longer be those that were signed. */
async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param onEvent puts an event where it is kept until somebody has the time to act on it, such as a queue. Only then is
 *   the delivery answered: what takes long, and what may fail, comes later
 */
export function createReceiver(
  secret: string,
  onEvent: (event: WebhookEvent) => Promise<void>,
  verify: Verify = verifyByHand,
): Server {
  // Of a service with several processes this is a unique column of its database, written together with the event.
  const taken = new Map<string, Promise<void>>();

  /** Whoever brings an event that is being kept waits for that: only what is kept for good is answered well. */
  function keepOnce(event: WebhookEvent): Promise<void> {
    const keeping = taken.get(event.id) ?? onEvent(event);
    taken.set(event.id, keeping);
    return keeping.catch((error: unknown) => {
      if (taken.get(event.id) === keeping) taken.delete(event.id);
      throw error;
    });
  }

  async function receive(request: IncomingMessage): Promise<number> {
    if (request.method !== 'POST') return 405;
    if (!(Number(request.headers['content-length']) <= maxBodyLength)) return 413;
    const body = await rawBody(request);
    if (!verify(secret, request.headers, body)) return 401;
    // Signed, so it is ours, and JSON. The same in the header webhook-id, which X-Webhook-Signature does not cover.
    await keepOnce(JSON.parse(body.toString('utf8')) as WebhookEvent);
    return 204;
  }

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // It will be sent again.
      () => response.writeHead(500).end(),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { WEBHOOK_SECRET: secret = '', WEBHOOK_VERIFY: way, PORT: port = '8080' } = process.env;
  if (secret === '') throw new Error('WEBHOOK_SECRET is not set.');
  const receiver = createReceiver(
    secret,
    async ({ event, id }) => console.log(JSON.stringify({ event, id })),
    way === 'library' ? verifyWithLibrary : verifyByHand,
  );
  receiver.listen(Number(port), '127.0.0.1', () =>
    console.log(JSON.stringify({ listening: receiver.address() })),
  );
}
