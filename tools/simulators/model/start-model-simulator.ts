import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  HttpFailure,
  noContent,
  type Reply,
  type RunningSimulator,
  type SimulatorRequest,
  serve,
} from '../support/serve.js';
import { Knobs } from './knobs.js';
import type { Answer, CompletionRequest } from './protocol.js';
import { readRequest } from './read-request.js';
import { serveRealtime } from './realtime/serve-realtime.js';
import { argumentsText, mentions, type ScriptedReply, ScriptQueue } from './script.js';
import { answer, scheduleAnother } from './walk/answer.js';
import { completionOf, streamCompletion } from './write-completion.js';

const REMEMBERED = 500;
const MODELS = ['simulated-chat', 'simulated-realtime'].map((id) => ({
  id,
  object: 'model',
  created: 0,
  owned_by: 'simulator',
}));

interface RecordedRequest {
  number: number;
  at: string;
  body: unknown;
  request: CompletionRequest;
}

/** Starts a simulated chat model service; `tools/simulators/README.md` lists its paths. Port 0 selects a free one. */
export async function startModelSimulator(options: {
  port: number;
  host?: string;
}): Promise<RunningSimulator> {
  const script = new ScriptQueue();
  const holds = new Holds();
  const knobs = new Knobs();
  let requests: RecordedRequest[] = [];
  let count = 0;

  async function complete(incoming: SimulatorRequest): Promise<Reply | undefined> {
    authenticate(incoming);
    const body = incoming.json();
    const request = readRequest(body);
    count += 1;
    const recorded = { number: count, at: new Date().toISOString(), body, request };
    requests = [...requests, recorded].slice(-REMEMBERED);

    const gone = new AbortController();
    incoming.response.once('close', () => gone.abort());
    const reply = script.take(request);
    if (knobs.values.latencyMs > 0) await delay(knobs.values.latencyMs);
    if (reply === undefined && knobs.failsNext()) throw knobFailure(knobs);
    if (reply?.delayMs !== undefined) await delay(reply.delayMs);
    if (reply?.hold === true) await holds.wait(gone.signal);
    if (gone.signal.aborted) return undefined;
    return respond(incoming, request, reply, gone.signal);
  }

  async function respond(
    incoming: SimulatorRequest,
    request: CompletionRequest,
    reply: ScriptedReply | undefined,
    gone: AbortSignal,
  ): Promise<Reply | undefined> {
    if (reply?.error === 'drop' || (reply?.error === 'drop_midway' && !request.stream)) {
      incoming.response.destroy();
      return undefined;
    }
    if (reply?.status !== undefined && reply.status !== 200) {
      throw failure(reply.status, reply.error ?? null, reply.headers);
    }
    const followUp = () => (knobs.followsUpNext() ? scheduleAnother(request) : undefined);
    const given = scriptedAnswer(reply) ?? followUp() ?? answer(request);
    if (!request.stream) return { headers: reply?.headers ?? {}, body: completionOf(request, given) };
    const dropAfter = reply?.error === 'drop_midway' ? 2 : undefined;
    const { tokenDelayMs } = knobs.values;
    await streamCompletion(incoming.response, request, given, { tokenDelayMs, dropAfter, gone });
    return undefined;
  }

  function listRequests({ query }: SimulatorRequest): Reply {
    const contains = query.get('contains');
    const limit = Number(query.get('limit') ?? REMEMBERED);
    const matching = requests.filter(({ request }) => contains === null || mentions(request, contains));
    return {
      body: {
        count: contains === null ? count : matching.length,
        held: holds.count,
        requests: matching.slice(-limit).map(({ number, at, body }) => ({ number, at, body })),
      },
    };
  }

  function forgetRequests(): void {
    requests = [];
    count = 0;
  }

  const realtime = serveRealtime({
    takeScript: (request) => script.take(request),
    hold: (signal) => holds.wait(signal),
  });
  const simulator = await serve(
    [
      ...realtime.routes,
      ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'model' } })],
      ['GET', '/v1/models', () => ({ body: { object: 'list', data: MODELS } })],
      ['POST', '/v1/chat/completions', complete],
      ['POST', '/script', (request) => noContent(() => script.add(request.json()))],
      ['DELETE', '/script', () => noContent(() => script.clear())],
      ['GET', '/requests', listRequests],
      ['DELETE', '/requests', () => noContent(forgetRequests)],
      ['POST', '/release', () => ({ body: { released: holds.release() } })],
      ['GET', '/knobs', () => ({ body: knobs.values })],
      ['POST', '/knobs', (request) => ({ body: knobs.turn(request.json()) })],
      ['DELETE', '/knobs', () => noContent(() => knobs.reset())],
    ],
    options.port,
    options.host,
    realtime.upgrade,
  );
  return {
    url: simulator.url,
    close: async () => {
      holds.release();
      realtime.close();
      await simulator.close();
    },
  };
}

/** Requests that wait until a test releases them. */
class Holds {
  readonly #releases = new EventEmitter().setMaxListeners(0);

  get count(): number {
    return this.#releases.listenerCount('release');
  }

  /** Resolves on release, or when the caller disconnects. */
  async wait(signal: AbortSignal): Promise<void> {
    await once(this.#releases, 'release', { signal }).catch(() => undefined);
  }

  release(): number {
    const { count } = this;
    this.#releases.emit('release');
    return count;
  }
}

function authenticate({ headers }: SimulatorRequest): void {
  if (!/^Bearer \S+$/.test(headers.authorization ?? '')) throw failure(401, 'invalid_api_key');
}

function scriptedAnswer(reply: ScriptedReply | undefined): Answer | undefined {
  if (reply?.content === undefined && reply?.toolCalls === undefined) return undefined;
  const { content = null, toolCalls = [] } = reply;
  return {
    content,
    toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, arguments: argumentsText(given) })),
  };
}

function knobFailure({ values }: Knobs): HttpFailure {
  const headers = values.retryAfterSeconds > 0 ? { 'retry-after': String(values.retryAfterSeconds) } : {};
  return failure(values.failStatus, null, headers);
}

/** An error in the format of the real service. */
function failure(status: number, code: string | null, headers: Record<string, string> = {}): HttpFailure {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'requests' : 'invalid_request_error';
  const error = { message: 'Simulated failure.', type, param: null, code };
  return new HttpFailure(status, { error }, headers);
}
