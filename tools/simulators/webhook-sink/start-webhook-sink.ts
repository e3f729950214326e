import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { objectWith } from '../support/read-json.js';
import {
  afterIn,
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type RunningSimulator,
  type SimulatorRequest,
  serve,
} from '../support/serve.js';
import { checkSignatures, headerOf } from './check-signatures.js';
import { Knobs, type Mishap } from './knobs.js';
import { type ReceivedWebhook, Sink } from './sink.js';

const maxBytes = 10_000_000;
const drippingEveryMs = 100;

/** Starts a webhook receiver that lists deliveries and simulates faults; see `tools/simulators/README.md`. */
export function startWebhookSink({ port, host }: { port: number; host?: string }): Promise<RunningSimulator> {
  return serve(routesOf(new Sink(), new Knobs()), port, host);
}

function routesOf(sink: Sink, knobs: Knobs): Route[] {
  return [
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'webhook-sink' } })],
    ['POST', '/hooks/{name}', (request) => receive(sink, knobs, request)],
    ['GET', '/hooks', () => ({ body: sink.overview() })],
    ['GET', '/hooks/{name}/summary', ({ params }) => summarize(sink, params.name ?? '')],
    ['PUT', '/hooks/{name}/secret', (request) => setSecret(sink, request)],
    ['GET', '/deliveries', ({ query }) => ({ body: sink.after(afterIn(query), query.get('name')) })],
    ['DELETE', '/deliveries', ({ query }) => noContent(() => sink.forget(query.get('name')))],
    ['GET', '/knobs', ({ query }) => ({ body: knobs.of(query.get('name') ?? undefined) })],
    ['POST', '/knobs', (request) => ({ body: knobs.turn(request.json()) })],
    ['DELETE', '/knobs', () => noContent(() => knobs.reset())],
  ];
}

async function receive(
  sink: Sink,
  knobs: Knobs,
  { params, headers, text, bytes, response }: SimulatorRequest,
): Promise<undefined> {
  const name = params.name ?? '';
  const hook = sink.hook(name);
  const now = new Date();
  const webhook: ReceivedWebhook = {
    sequence: sink.nextSequence(),
    name,
    receivedAt: now.toISOString(),
    id: headerOf(headers, 'webhook-id') ?? null,
    headers,
    body: text,
    signature: checkSignatures(headers, bytes, hook.secret, now),
    answered: null,
  };
  hook.add(webhook, bytes);
  const fault = knobs.nextFault(name);
  const { latencyMs } = knobs.of(name);
  if (latencyMs > 0) await delay(latencyMs);
  const answer = () => answerWebhook(response, name, fault ?? refusalOf(webhook));
  hook.answer(webhook, response.destroyed ? 'gone' : answer());
}

/** A receiver with a secret rejects webhooks that are not signed with it. */
function refusalOf({ signature }: ReceivedWebhook) {
  if (signature === 'valid' || signature === 'unchecked') return undefined;
  return { answer: 'status', chance: true, status: 401 } as const;
}

/** Accepts a webhook or applies the fault. @returns the value of `ReceivedWebhook.answered` */
function answerWebhook(response: ServerResponse, name: string, fault: Mishap | undefined): string {
  if (fault === undefined) return takeIt(response, 200);
  const { answer, retryAfter } = fault;
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  switch (answer) {
    case 'status':
      return takeIt(response, fault.status ?? 503);
    case 'redirect':
      response.setHeader('location', fault.location ?? `/hooks/${encodeURIComponent(name)}-redirected`);
      return takeIt(response, fault.status ?? 307);
    case 'huge':
      return pour(response, fault.status ?? 200, blocksOf(fault.bytes ?? maxBytes));
    case 'drip':
      return pour(response, fault.status ?? 200, drops(fault.everyMs ?? drippingEveryMs));
    case 'garbage':
      response.socket?.end('This is not HTTP.\r\n\r\n');
      return answer;
    case 'reset':
      response.socket?.resetAndDestroy();
      return answer;
    case 'hang':
      return answer;
  }
}

function takeIt(response: ServerResponse, status: number): string {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ received: status < 300 }));
  return String(status);
}

function pour(response: ServerResponse, status: number, pieces: Parameters<typeof Readable.from>[0]): string {
  response.writeHead(status, { 'content-type': 'text/plain' });
  pipeline(Readable.from(pieces), response).catch(() => undefined);
  return String(status);
}

function* blocksOf(bytes: number): Iterable<Buffer> {
  const block = Buffer.alloc(65_536, 'x');
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left);
}

async function* drops(everyMs: number): AsyncIterable<Buffer> {
  for (;;) {
    yield Buffer.from('x');
    await delay(everyMs, undefined, { ref: false });
  }
}

function summarize(sink: Sink, name: string): Reply {
  const hook = sink.hook(name);
  return { body: { ...hook.overview(), webhooks: hook.summaries() } };
}

function setSecret(sink: Sink, { params, json }: SimulatorRequest): Reply {
  const { secret } = objectWith(json(), ['secret']);
  if (typeof secret !== 'string' && secret !== null) {
    throw new HttpFailure(400, { error: 'secret has to be a text, or null for none.' });
  }
  sink.hook(params.name ?? '').secret = secret;
  return { status: 204 };
}
