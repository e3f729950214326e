import { setTimeout as delay } from 'node:timers/promises';
import { objectWith } from '../support/read-json.js';
import {
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type RunningSimulator,
  type SimulatorRequest,
  serve,
} from '../support/serve.js';
import { answerWebhook } from './answer-webhook.js';
import { checkSignatures, headerOf } from './check-signatures.js';
import { Knobs } from './knobs.js';
import { type ReceivedWebhook, Sink } from './sink.js';

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
    [
      'GET',
      '/deliveries',
      ({ query }) => ({ body: sink.after(Number(query.get('after') ?? 0), query.get('name')) }),
    ],
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
  const mishap = knobs.nextMishap(name);
  const { latencyMs } = knobs.of(name);
  if (latencyMs > 0) await delay(latencyMs);
  const answer = () => answerWebhook(response, name, mishap ?? refusalOf(webhook));
  hook.answer(webhook, response.destroyed ? 'gone' : answer());
}

/** A receiver with a secret rejects webhooks that are not signed with it. */
function refusalOf({ signature }: ReceivedWebhook) {
  if (signature === 'valid' || signature === 'unchecked') return undefined;
  return { answer: 'status', chance: true, status: 401 } as const;
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
