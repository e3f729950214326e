import createFetchClient, { type HeadersOptions } from 'openapi-fetch';
import { events } from './events.js';
import { chunks, jsonLines, texts } from './lines.js';
import { operations } from './operations.js';
import { items, type List } from './paging.js';
import { problemOf } from './problems.js';
import { defaultRetries, fetchWithRetries, type RetryOptions } from './retries.js';
import { Session } from './session.js';
import type { CallOptions, Item, ListId, Operations, Parameters } from './types.js';

export interface ClientOptions extends Partial<RetryOptions> {
  /** The address of the service, with or without `/api/v2`. */
  baseUrl: string;
  /** An API key or a member's token. Without one, the client uses the session that `beginSession` begins. */
  apiKey?: string;
  /** A session that was begun earlier (`session.token`). */
  sessionToken?: string;
  workspaceUuid?: string;
  fetch?: typeof fetch;
}

export interface Client extends Operations {
  /** Reads all items of a list, page by page: `for await (const member of client.each('listMembers'))`. */
  each<Id extends ListId>(
    operationId: Id,
    ...rest: Record<never, never> extends Parameters<Id>
      ? [parameters?: Parameters<Id>, options?: CallOptions]
      : [parameters: Parameters<Id>, options?: CallOptions]
  ): AsyncIterableIterator<Item<Id>>;
  /** The ETag with which an object was read, if the service gave one. */
  etagOf(answer: object): string | undefined;
  /** The same client for another workspace. */
  inWorkspace(workspaceUuid: string): Client;
  readonly session: Session;
}

/** The ETags of what was read. */
const etags = new WeakMap<object, string>();

/** Any operation, as the code below calls it. */
interface Declared {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  takes?: 'form';
  answers?: 'events' | 'lines' | 'text' | 'bytes';
  keyed?: true;
  paged?: 'page' | 'offset';
}
type Given = Record<string, unknown>;

export function createClient(options: ClientOptions): Client {
  return clientOf(options, new Session(options.sessionToken));
}

function clientOf(options: ClientOptions, session: Session): Client {
  const retries = {
    retries: options.retries ?? defaultRetries.retries,
    longestWaitMs: options.longestWaitMs ?? defaultRetries.longestWaitMs,
    timeoutMs: options.timeoutMs ?? defaultRetries.timeoutMs,
  };
  const http = createFetchClient<Record<string, never>>({
    baseUrl: `${options.baseUrl.replace(/\/?(api\/v2\/?)?$/, '')}/api/v2`,
  });

  /** Sends the request of an operation. @throws ProblemError unless the answer is 2xx */
  async function send(operation: Declared, given: Given, call: CallOptions): Promise<Response> {
    const { method, path, keyed = false } = operation;
    const { body, ...rest } = given;
    const { inPath, inQuery } = placed(path, { workspace_uuid: options.workspaceUuid, ...rest });
    const headers: HeadersOptions = {
      ...(options.apiKey === undefined ? session.headers() : { Authorization: `Bearer ${options.apiKey}` }),
      ...(keyed && { 'Idempotency-Key': call.idempotencyKey ?? newKey() }),
      ...(call.ifMatch !== undefined && { 'If-Match': call.ifMatch }),
      ...(call.lastEventId !== undefined && { 'Last-Event-ID': call.lastEventId }),
    };
    const attempts = {
      ...retries,
      fetch: options.fetch ?? fetch,
      // The repetition of a change on condition would fail with the change itself.
      repeatable: keyed || (method !== 'post' && call.ifMatch === undefined),
      streamed: operation.answers !== undefined,
    };
    const { response, error } = (await http.request(
      method,
      path as never,
      {
        params: { path: inPath, query: inQuery },
        headers,
        fetch: (request: Request) => fetchWithRetries(request, attempts),
        // The body of the answer is read below.
        parseAs: 'stream',
        ...(body !== undefined && { body }),
        ...(operation.takes === 'form' && { bodySerializer: formOf }),
        ...(call.signal && { signal: call.signal }),
      } as never,
    )) as { response: Response; error?: unknown };
    if (options.apiKey === undefined) session.read(response);
    if (!response.ok) throw problemOf(response.status, error);
    return response;
  }

  async function* stream(operation: Declared, given: Given, call: CallOptions) {
    const body = await bodyOf(send(operation, given, call));
    if (operation.answers === 'lines') yield* jsonLines(body);
    else if (operation.answers === 'text') yield* texts(body);
    else yield* chunks(body);
  }

  function call(operation: Declared, given: Given = {}, told: CallOptions = {}) {
    if (operation.answers === 'events') {
      const { lastEventId, signal = new AbortController().signal } = told;
      const open = (last: string | undefined, connection: AbortSignal) => {
        const resumed = last === undefined ? {} : { lastEventId: last };
        return bodyOf(send(operation, given, { signal: connection, ...resumed }));
      };
      return events({ ...retries, open, lastEventId, signal });
    }
    if (operation.answers !== undefined) return stream(operation, given, told);
    return send(operation, given, told).then(async (response) => {
      const text = await response.text();
      if (text === '') return undefined;
      const answer: object = JSON.parse(text);
      const etag = response.headers.get('ETag');
      if (etag !== null) etags.set(answer, etag);
      return answer;
    });
  }

  const methods = Object.entries<Declared>(operations).map(([id, operation]) => [
    id,
    (given?: Given, told?: CallOptions) => call(operation, given, told),
  ]);
  return {
    ...(Object.fromEntries(methods) as Operations),
    each: ((operationId: ListId, given: Given = {}, told: CallOptions = {}) => {
      const { paged } = operations[operationId];
      const list = (range: Given) => call(operations[operationId], { ...given, ...range }, told);
      return items(list as List, paged, given);
    }) as Client['each'],
    etagOf: (answer) => etags.get(answer),
    inWorkspace: (workspaceUuid) => clientOf({ ...options, workspaceUuid }, session),
    session,
  };
}

/** Separates the parameters in the path from those of the query. */
function placed(path: string, given: Given): { inPath: Given; inQuery: Given } {
  const names = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const missing = [...names].find((name) => given[String(name)] === undefined);
  if (missing !== undefined) throw new TypeError(`${missing} is required.`);
  const entries = Object.entries(given).filter(([name]) => names.has(name) || name !== 'workspace_uuid');
  return {
    inPath: Object.fromEntries(entries.filter(([name]) => names.has(name))),
    inQuery: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}

function formOf(body: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

async function bodyOf(sent: Promise<Response>): Promise<ReadableStream<Uint8Array>> {
  return (await sent).body ?? new Blob([]).stream();
}

/** Available to pages without https as well, unlike `crypto.randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
