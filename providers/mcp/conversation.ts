import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import { retryAfterMs } from '../retry-after.js';
import type { AddressPolicy } from '../webhook/address-policy.js';
import { DeadlinePassed, failureCodeOf } from '../webhook/create-webhook-sender.js';
import { UnreadableAnswer } from '../webhook/exchange.js';
import type { Agents } from '../webhook/keep-alive-agents.js';
import { AnswersTooLarge, GuardedFetch, Redirected } from './guarded-fetch.js';
import type { ListedTool, Listing, RemoteOutcome, RemoteServer } from './remote-tools.js';

/** The tools of a server that are read; further ones do not exist for the service. */
const maxTools = 100;
const maxPages = 10;

/** How long an answer that has ended may take to be read, and a server to end its session. */
const settleMs = 1_000;

/** Of what servers answer, nothing is validated by schemas of theirs: compiling a stranger's schema is running its code. */
const noValidation: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T & {}, errorMessage: undefined });
  },
};

/** A conversation with a server, from opening it to closing its session. */
export class Conversation {
  readonly #client = new Client(
    { name: 'workspace-engagement-service', version: '1.0.0' },
    { capabilities: {}, jsonSchemaValidator: noValidation },
  );
  readonly #transport: StreamableHTTPClientTransport;
  readonly #ending = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  readonly #guarded: GuardedFetch;
  /** The deadline of ours comes first: the SDK would tell the server, which takes another request. */
  readonly #asking: { signal: AbortSignal; timeout: number };
  #settling: NodeJS.Timeout | undefined;

  constructor(
    { url, token }: RemoteServer,
    { policy, agents }: { policy: AddressPolicy; agents: Agents },
    { withinMs, maxBytes }: { withinMs: number; maxBytes: number },
  ) {
    const { signal } = this.#ending;
    this.#asking = { signal, timeout: withinMs + 5_000 };
    this.#deadline = setTimeout(() => this.end(new DeadlinePassed()), withinMs);
    this.#guarded = new GuardedFetch({
      policy,
      agents,
      maxBytes,
      signal,
      onBroken: (error) => this.end(error),
      onEnd: () => this.#settleSoon(),
    });
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: this.#guarded.fetch,
      ...(token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }

  async open(): Promise<void> {
    // The types of the SDK are not written for `exactOptionalPropertyTypes`.
    await this.#client.connect(this.#transport as Parameters<Client['connect']>[0], this.#asking);
    this.#settled();
  }

  async listTools(): Promise<Listing> {
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= maxPages && tools.length < maxTools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const found = await this.#client.request(
        { method: 'tools/list', params },
        ListToolsResultSchema,
        this.#asking,
      );
      this.#settled();
      for (const { name, title, description, inputSchema, annotations } of found.tools) {
        tools.push({ name, title, description, inputSchema, annotations });
      }
      cursor = found.nextCursor;
      if (cursor === undefined) break;
    }
    return { tools: tools.slice(0, maxTools), isCut: cursor !== undefined || tools.length > maxTools };
  }

  async callTool(name: string, input: Record<string, unknown>): Promise<RemoteOutcome> {
    const params = { name, arguments: input };
    try {
      const result = await this.#client.request(
        { method: 'tools/call', params },
        CallToolResultSchema,
        this.#asking,
      );
      this.#settled();
      return { kind: 'called', ...readResult(result) };
    } catch (error) {
      const { last } = this.#guarded;
      if (isAnswer(error) && last.status !== undefined && last.status < 300 && last.error === undefined) {
        return { kind: 'called', isError: true, text: error.message, leftOut: 0 };
      }
      const failure = this.failureOf(error, false);
      const wasRefused = last.status !== undefined && last.status >= 300 && last.status < 500;
      return { kind: wasRefused || !last.mayHaveArrived ? 'not_called' : 'lost', ...failure };
    }
  }

  /** @param isOfServer whether the request was about the server as a whole, so that 403 is about the credential */
  failureOf(error: unknown, isOfServer: boolean): { code: string; retryAfterMs?: number } {
    const { last } = this.#guarded;
    const wait = retryAfterMs(last.retryAfter);
    return {
      code: codeOf(this.#ending.signal.reason ?? last.error ?? error, last.status, isOfServer),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }

  /** Ends what is under way. */
  end(reason: unknown): void {
    this.#ending.abort(reason);
  }

  /** Ends the session of the server, which otherwise keeps it for a while, and the conversation. */
  async close(): Promise<void> {
    this.#settled();
    if (this.#transport.sessionId !== undefined && !this.#ending.signal.aborted) {
      const ended = this.#transport.terminateSession().catch(() => undefined);
      const waiting = new AbortController();
      await Promise.race([
        ended,
        delay(settleMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
    }
    clearTimeout(this.#deadline);
    await this.#client.close();
  }

  /** An answer may end without what was asked for, which the SDK would wait for until the deadline. */
  #settleSoon(): void {
    this.#settled();
    this.#settling = setTimeout(() => this.end(new UnreadableAnswer()), settleMs);
  }

  #settled(): void {
    clearTimeout(this.#settling);
  }
}

/** Whether the server itself has answered with an error; two codes are the SDK's own. */
function isAnswer(error: unknown): error is McpError {
  if (!(error instanceof McpError)) return false;
  return error.code !== ErrorCode.ConnectionClosed && error.code !== ErrorCode.RequestTimeout;
}

function codeOf(error: unknown, status: number | undefined, isOfServer: boolean): string {
  if (error instanceof AnswersTooLarge) return 'answer_too_large';
  if (error instanceof Redirected) return 'redirected';
  if (error instanceof DeadlinePassed) return 'timeout';
  if (status !== undefined && status >= 300) {
    if (status === 401 || (status === 403 && isOfServer)) return 'unauthorized';
    if (status === 402) return 'payment_required';
    return status === 429 ? 'too_many_requests' : `http_${status}`;
  }
  if (isAnswer(error)) return 'protocol_error';
  return status === undefined ? failureCodeOf(error) : 'invalid_response';
}

/** The texts of an answer; what has no text is counted. Where there is no text, the structured content stands for it. */
function readResult({ content, structuredContent, isError = false }: CallToolResult) {
  const texts: string[] = [];
  let leftOut = 0;
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'resource' && 'text' in part.resource) texts.push(part.resource.text);
    else leftOut += 1;
  }
  const text = texts.join('\n\n');
  const structured = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  return { isError, leftOut, text: text === '' ? structured : text };
}
