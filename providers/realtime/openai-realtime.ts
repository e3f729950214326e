import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeClientEvent, RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import type { ClientOptions } from 'ws';
import { ModelBusy, ModelRefused, ModelUnusable } from '../model/chat-model.js';
import { retryAfterMs } from '../retry-after.js';
import { codeIn, readEvent, readUsualAudio, requestKey } from './read-event.js';
import type {
  RealtimeEvent,
  RealtimeInstructions,
  RealtimeMessage,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from './realtime.js';
import { instructionsRequest, messageRequest, sessionRequest } from './session-request.js';

export interface OpenAiRealtimeOptions {
  apiKey: string;
  /** Any base URL with the same protocol, including its `/v1`; `http` and `https` stand for `ws` and `wss`. */
  baseUrl?: string | undefined;
  /** Time limit from connecting until the server has accepted the settings. */
  openTimeoutMs?: number;
  /** A server that sends nothing for two of these is given up. */
  pingEveryMs?: number;
  /** A server that does not take what is sent is given up beyond so many bytes: a minute of sound. */
  maxBufferedBytes?: number;
}

/** The largest frame of the server: the settings of a session, with instructions and tools, come back in one. */
const maxPayload = 4 * 1_048_576;

/** A realtime model through the `openai` package and `ws`. */
export class OpenAiRealtime implements RealtimeModel {
  readonly #client: OpenAI;
  readonly #openTimeoutMs: number;
  readonly #limits: SessionLimits;

  constructor({ apiKey, baseUrl, ...limits }: OpenAiRealtimeOptions) {
    const { openTimeoutMs = 10_000, pingEveryMs = 15_000, maxBufferedBytes = 1_048_576 } = limits;
    this.#client = new OpenAI({
      apiKey,
      logLevel: 'off',
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    });
    this.#openTimeoutMs = openTimeoutMs;
    this.#limits = { pingEveryMs, maxBufferedBytes };
  }

  async connect(
    settings: RealtimeSettings,
    events: (event: RealtimeEvent) => void,
    signal: AbortSignal,
  ): Promise<RealtimeSession> {
    signal.throwIfAborted();
    const options = { maxPayload, ...this.#connecting() };
    const socket = new OpenAIRealtimeWS({ model: settings.model, options }, this.#client);
    const session = new OpenSession(socket, events, this.#limits);
    // Referred to until the end: Node.js 20 collects one that only `AbortSignal.any` knows, and it never fires.
    const deadline = AbortSignal.timeout(this.#openTimeoutMs);
    try {
      await session.open(settings, AbortSignal.any([signal, deadline]));
    } catch (error) {
      session.abandon();
      signal.throwIfAborted();
      throw deadline.aborted ? new ModelBusy('timeout') : error;
    }
    return session;
  }

  /** The package always asks for `wss`, and offers a compression that would delay every frame. */
  #connecting(): ClientOptions {
    const base = new URL(this.#client.baseURL);
    const options: ClientOptions = { perMessageDeflate: false, handshakeTimeout: this.#openTimeoutMs };
    if (base.protocol !== 'http:') return options;
    const port = Number(base.port || 80);
    return {
      ...options,
      createConnection: ((given: net.TcpNetConnectOpts) =>
        net.connect({
          host: base.hostname.replace(/^\[|\]$/g, ''),
          port,
          // Without it, `handshakeTimeout` has no effect.
          ...(given.timeout === undefined ? {} : { timeout: given.timeout }),
        })) as NonNullable<ClientOptions['createConnection']>,
    };
  }
}

interface SessionLimits {
  pingEveryMs: number;
  maxBufferedBytes: number;
}

class OpenSession implements RealtimeSession {
  readonly #realtime: OpenAIRealtimeWS;
  readonly #events: (event: RealtimeEvent) => void;
  readonly #limits: SessionLimits;
  #settings: RealtimeSettings | undefined;
  #sent = 0;
  #isReady = false;
  #isClosed = false;
  #wasAlive = true;
  #ping: NodeJS.Timeout | undefined;
  /** Why the session was given up on our side. */
  #givenUp: string | undefined;
  #opening: { settle: () => void; fail: (error: Error) => void } | undefined;

  constructor(realtime: OpenAIRealtimeWS, events: (event: RealtimeEvent) => void, limits: SessionLimits) {
    this.#realtime = realtime;
    this.#events = events;
    this.#limits = limits;
    const { socket } = realtime;
    // The package would parse each frame of sound as JSON and emit it twice (docs/decisions/0164).
    socket.removeAllListeners('message');
    // A listener that throws would leave the socket without messages for good.
    socket.on('message', (data: Buffer) => this.#guarded(() => this.#read(data)));
    // The package reports errors of the transport here.
    realtime.on('error', (error) => {
      if (error.cause !== undefined) this.#fail(new ModelBusy(connectionCode(error.cause)));
    });
    socket.on('open', () => this.#guarded(() => this.#begin()));
    socket.on('unexpected-response', (request, response) => {
      this.#fail(refusedUpgrade(response));
      request.destroy();
    });
    socket.on('pong', () => {
      this.#wasAlive = true;
    });
    socket.on('close', (code) => this.#guarded(() => this.#ended(code)));
  }

  /** Resolves once the server has accepted the settings: before, it would answer without instructions. */
  open(settings: RealtimeSettings, signal: AbortSignal): Promise<void> {
    this.#settings = settings;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      const end = (finish: () => void) => () => {
        signal.removeEventListener('abort', abort);
        this.#opening = undefined;
        finish();
      };
      this.#opening = {
        settle: end(resolve),
        fail: (error) => end(() => reject(error))(),
      };
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
    });
  }

  /** Gives up a session that was never handed out: nothing is reported any more. */
  abandon(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #begin(): void {
    if (this.#settings === undefined || this.#isClosed) return;
    this.#send(sessionRequest(this.#settings));
    this.#ping = setInterval(() => this.#checkLife(), this.#limits.pingEveryMs).unref();
  }

  #read(data: Buffer): void {
    this.#wasAlive = true;
    if (this.#isClosed) return;
    const audio = this.#isReady ? readUsualAudio(data) : undefined;
    if (audio !== undefined) this.#events(audio);
    else this.#take(eventIn(data.toString()));
  }

  #take(event: RealtimeServerEvent | undefined): void {
    if (event === undefined) return;
    if (this.#isReady) {
      const read = readEvent(event);
      if (read !== undefined) this.#events(read);
      return;
    }
    if (event.type === 'error') this.#fail(refusedSettings(event.error));
    if (event.type !== 'session.updated') return;
    this.#isReady = true;
    for (const message of this.#settings?.history ?? []) this.addMessage(message);
    this.#opening?.settle();
  }

  #ended(code: number): void {
    clearInterval(this.#ping);
    if (!this.#isReady) this.#fail(new ModelBusy('connection_lost'));
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What listens to this session gets nothing else, so an error in it cannot be reported by it.
    if (this.#isReady) this.#events({ type: 'closed', code: this.#givenUp ?? `ws_${code}` });
  }

  #fail(error: Error): void {
    this.#opening?.fail(error);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      this.#giveUp('listener_failed');
    }
  }

  /** Two intervals without a sign of life: a connection that is gone without a word. */
  #checkLife(): void {
    if (!this.#wasAlive && !this.#realtime.socket.isPaused) {
      this.#giveUp('unresponsive');
      return;
    }
    this.#wasAlive = false;
    this.#realtime.socket.ping();
  }

  #giveUp(code: string): void {
    this.#givenUp ??= code;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#ping);
    this.#realtime.socket.terminate();
  }

  #send(event: RealtimeClientEvent): string {
    this.#sent += 1;
    const id = `e${this.#sent}`;
    const { socket } = this.#realtime;
    if (socket.readyState === socket.OPEN) this.#realtime.send({ ...event, event_id: id });
    return id;
  }

  get bufferedBytes(): number {
    return this.#realtime.socket.bufferedAmount;
  }

  appendAudio(payload: string): void {
    if (this.bufferedBytes > this.#limits.maxBufferedBytes) {
      this.#giveUp('stalled');
      return;
    }
    const { socket } = this.#realtime;
    if (socket.readyState !== socket.OPEN) return;
    const event = `{"type":"input_audio_buffer.append","audio":${JSON.stringify(payload)}}`;
    // `ws` masks a buffer and its header in one piece, and sends the two parts of a text with two.
    socket.send(Buffer.from(event), { binary: false });
  }

  respond(request: number, options: { instructions?: string; withTools?: boolean } = {}): string {
    const { instructions, withTools = true } = options;
    return this.#send({
      type: 'response.create',
      response: {
        metadata: { [requestKey]: String(request) },
        ...(instructions === undefined ? {} : { instructions }),
        ...(withTools ? {} : { tool_choice: 'none' }),
      },
    });
  }

  cancel(responseId: string | undefined): string {
    return this.#send({
      type: 'response.cancel',
      ...(responseId === undefined ? {} : { response_id: responseId }),
    });
  }

  truncate(itemId: string, audioEndMs: number): string {
    const event = { item_id: itemId, content_index: 0, audio_end_ms: audioEndMs };
    return this.#send({ type: 'conversation.item.truncate', ...event });
  }

  deleteItem(itemId: string): string {
    return this.#send({ type: 'conversation.item.delete', item_id: itemId });
  }

  addMessage(message: RealtimeMessage): string {
    return this.#send(messageRequest(message));
  }

  addToolOutput(callId: string, output: string): string {
    const item = { type: 'function_call_output', call_id: callId, output } as const;
    return this.#send({ type: 'conversation.item.create', item });
  }

  instruct(instructions: RealtimeInstructions): string {
    return this.#send(instructionsRequest(instructions));
  }

  pause(): void {
    this.#realtime.socket.pause();
  }

  resume(): void {
    // What comes now was kept back: it is no silence of the server.
    this.#wasAlive = true;
    this.#realtime.socket.resume();
  }

  close(): void {
    clearInterval(this.#ping);
    this.#realtime.close();
  }
}

/** @returns undefined for what is no object in JSON */
function eventIn(text: string): RealtimeServerEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as RealtimeServerEvent) : undefined;
  } catch {
    return undefined;
  }
}

function connectionCode(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'connection_lost' : 'connection';
}

const accountStatuses: ReadonlySet<number | undefined> = new Set([401, 402, 403, 404]);

function refusedUpgrade({ statusCode: status = 0, headers }: IncomingMessage): Error {
  const code = `http_${status}`;
  if (accountStatuses.has(status)) return new ModelUnusable(code, true);
  if (status === 400 || status === 422) return new ModelRefused(code, status);
  return new ModelBusy(code, retryAfterMs(headers['retry-after'] ?? null));
}

const accountCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
]);

function refusedSettings({ code, type }: { code?: string | null; type: string }): Error {
  const told = codeIn(code) ?? codeIn(type) ?? 'error';
  if (told === 'model_not_found') return new ModelUnusable(told, false);
  if (accountCodes.has(told)) return new ModelUnusable(told, true);
  if (type === 'server_error' || told === 'rate_limit_exceeded') return new ModelBusy(told);
  return new ModelRefused(told, 200);
}
