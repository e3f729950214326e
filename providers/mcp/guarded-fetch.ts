import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { TLSSocket } from 'node:tls';
import type { AddressPolicy } from '../webhook/address-policy.js';
import { UnreadableAnswer } from '../webhook/exchange.js';
import type { Agents } from '../webhook/keep-alive-agents.js';

/** All answers of a server together were larger than allowed. */
export class AnswersTooLarge extends Error {
  override readonly name = 'AnswersTooLarge';
}

/** The server answered with a redirect, which is not followed. */
export class Redirected extends Error {
  override readonly name = 'Redirected';
}

export interface GuardedFetchOptions {
  policy: AddressPolicy;
  agents: Agents;
  /** Of all answers together. */
  maxBytes: number;
  /** Ends all requests. */
  signal: AbortSignal;
  /** Called when an answer breaks off. */
  onBroken(error: unknown): void;
  /** Called when an answer has come to its end. */
  onEnd(): void;
}

/** What is known of the last request of ours: not of the answers that a server asks for, nor of the end of a conversation. */
export interface LastRequest {
  /** Whether the connection stood, so that the server may have processed it. */
  mayHaveArrived: boolean;
  status?: number;
  retryAfter?: string | undefined;
  error?: unknown;
}

/**
 * `fetch` for one conversation with a server that others have named: it connects only to addresses that the policy allows, each time
 * anew, follows no redirects and bounds the bytes. Answers are read as they arrive, because events are. There is no stream of
 * events beside the answers.
 */
export class GuardedFetch {
  last: LastRequest = { mayHaveArrived: false };
  readonly #options: GuardedFetchOptions;
  #bytes = 0;

  constructor(options: GuardedFetchOptions) {
    this.#options = options;
  }

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET' } = init;
    if (method === 'GET') return new Response(null, { status: 405 });
    const last: LastRequest = { mayHaveArrived: false };
    if (method === 'POST' && isOurs(init.body)) this.last = last;
    try {
      return await this.#send(String(input), { ...init, method }, last);
    } catch (error) {
      last.error = error;
      throw error;
    }
  };

  async #send(url: string, init: RequestInit & { method: string }, last: LastRequest): Promise<Response> {
    const { policy, agents, signal } = this.#options;
    signal.throwIfAborted();
    const { secure, hostname, port, path } = policy.target(url);
    // A look-up is not asked for a literal address, so that is checked here.
    if (isIP(hostname) !== 0) await policy.addressesOf(hostname);
    const signals = [signal, ...(init.signal ? [init.signal] : [])];
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request({
        method: init.method,
        host: hostname,
        port,
        path,
        headers: headersOf(init, body),
        signal: AbortSignal.any(signals),
        agent: secure ? agents.secure : agents.plain,
        maxHeaderSize: 16_384,
      });
      request.on('socket', (socket) => {
        socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
          last.mayHaveArrived = true;
        });
      });
      request.on('error', reject);
      request.on('response', (answer) => {
        last.status = answer.statusCode ?? 502;
        last.retryAfter = answer.headers['retry-after'];
        const refused = refusalOf(answer);
        if (refused === undefined) resolve(this.#responseOf(answer, last));
        else {
          answer.destroy();
          reject(refused);
        }
      });
      request.end(body);
    });
  }

  #responseOf(answer: IncomingMessage, last: LastRequest): Response {
    const status = last.status ?? 502;
    const headers = new Headers();
    for (const name of ['content-type', 'mcp-session-id']) {
      const value = answer.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    if (status === 204 || status === 205) {
      answer.resume();
      return new Response(null, { status, headers });
    }
    const stream = ReadableStream.from(this.#bounded(answer, last)) as unknown as NonNullable<
      RequestInit['body']
    >;
    return new Response(stream, { status, headers });
  }

  async *#bounded(answer: IncomingMessage, last: LastRequest): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#options.maxBytes) throw new AnswersTooLarge();
        yield new Uint8Array(chunk);
      }
      this.#options.onEnd();
    } catch (error) {
      last.error = error;
      this.#options.onBroken(error);
      throw error;
    }
  }
}

/** Whether a message asks for something, or opens the conversation. */
function isOurs(body: RequestInit['body']): boolean {
  const { method } = JSON.parse(String(body)) as { method?: unknown };
  return typeof method === 'string' && method !== 'notifications/cancelled';
}

function headersOf(init: RequestInit, body: Buffer | undefined): Record<string, string> {
  return {
    ...Object.fromEntries(new Headers(init.headers)),
    'user-agent': 'workspace-engagement-service',
    'accept-encoding': 'identity',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
}

function refusalOf({ statusCode = 502, headers }: IncomingMessage): Error | undefined {
  if (statusCode >= 300 && statusCode < 400) return new Redirected();
  // Node reads none as a response, and `Response` refuses it.
  if (statusCode < 200 || statusCode > 599) return new UnreadableAnswer();
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === '' || encoding === 'identity' ? undefined : new UnreadableAnswer();
}
