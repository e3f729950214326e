import type { Context } from 'koa';
import type { ServiceContext } from '../../../domain/kernel/context.js';
import type { Answer } from '../../../domain/kernel/idempotency.js';
import { ResponseMismatch } from '../problem.js';
import type { BrowserSession, HandlerInput, Route } from '../route.js';
import type { UploadedFile } from '../uploads/uploaded-file.js';
import type { Caller } from './caller.js';
import { type Expected, performIfMatch, readIfMatch } from './conditional.js';
import type { Endpoint } from './endpoint.js';
import { answerOnce, type Idempotency, readIdempotency, requestUuidOf } from './idempotency.js';
import type { TurnTaker } from './large-requests.js';
import type { Prefetch } from './prefetch.js';

/** A request whose caller is known and has access, over HTTP or as the call of a tool. */
export interface GrantedRequest {
  /** What access was granted to: the context of the handler. */
  granted: unknown;
  caller: Caller | undefined;
  /** As they appear in the path. */
  params: Record<string, string>;
  query: Record<string, unknown>;
  headers: Context['headers'];
  prefetch?: Prefetch | undefined;
  /** Receives the body. @returns what parses it, once it is the request's turn */
  receive: () => Promise<() => unknown>;
  /** The uploaded file, once the body is received. */
  file: () => UploadedFile | undefined;
  session: BrowserSession;
  /** Who waits for its turn, and the answer that is sent. */
  turns: TurnTaker;
}

/** A valid request of a caller who may make it. */
export interface ValidRequest {
  input: HandlerInput;
  idempotency: Idempotency | undefined;
  /** The ETags of its `If-Match`. */
  expected: Expected | undefined;
}

/**
 * Performs a request once access is granted: the steps that it has in common however it came. `answer` performs it, with
 * `answerAtOnce` or in its own way, while it is the request's turn. The body is received before the turn, so that a slow
 * sender holds none, and the Idempotency-Key is read before validation, which fills in defaults. @throws what the steps
 * refuse
 */
export async function performRequest(
  endpoint: Endpoint,
  request: GrantedRequest,
  answer: (request: ValidRequest) => Promise<void>,
): Promise<void> {
  const { route, validation } = endpoint;
  const { granted, caller, headers, query, prefetch } = request;
  const context = withOwnDatabase(route, granted, caller);
  const params = prefetch?.params ?? validation.params(request.params);
  const parse = await request.receive();
  await takeTurn(endpoint, request.turns, context, async () => {
    const body = parse();
    const idempotency = readIdempotency(route, headers, { query, body, file: request.file() });
    const expected = readIfMatch(route, headers);
    const requestUuid = requestUuidOf(route, { context, params }, idempotency);
    const input = await validate(endpoint, { ...request, context, params, body, requestUuid });
    await answer({ input, idempotency, expected });
  });
}

/**
 * Returns the context with a database that is limited to the caller's share of connections. It waits longer for a
 * connection if the route reads or writes a whole file.
 */
function withOwnDatabase({ method, response, file }: Route, granted: unknown, caller: Caller | undefined) {
  const isForCommand = method !== 'GET';
  const isPatient = response.stream !== undefined || file !== undefined;
  if (caller === undefined && !isForCommand && !isPatient) return granted;
  const terms = { ...(caller && { holder: caller.owner }), isForCommand, isPatient };
  const context = granted as ServiceContext;
  return { ...context, db: context.db.withTerms(terms) };
}

/**
 * Serves a request whose body is received. Large requests, and those of routes that say so, wait for their turn; the pieces of a streamed answer take turns by themselves.
 */
function takeTurn(
  { route, server }: Endpoint,
  turns: TurnTaker,
  context: unknown,
  serve: () => Promise<void>,
): Promise<void> {
  if (route.response.events !== undefined || route.response.stream !== undefined) return serve();
  // A file that is kept stays on disk: it takes no time of the event loop, but storing it may take seconds.
  if (route.file?.kept === true) return serve();
  const { admission } = route;
  if (admission === undefined) return server.large.serve(turns, route, context, serve);
  return server.large.serve(turns, route, context, async () => {
    const leave = await server.turns[admission].enter(turns, context);
    await serve().finally(leave);
  });
}

/** Validates query and body, and collects what the handler receives. */
async function validate(
  { route, server: { services }, validation }: Endpoint,
  request: Omit<GrantedRequest, 'params'> & {
    context: unknown;
    params: unknown;
    body: unknown;
    requestUuid: string;
  },
): Promise<HandlerInput> {
  const { context, params, prefetch, requestUuid, session, headers } = request;
  const query = prefetch?.query ?? validation.query(request.query);
  const body = validation.body(request.body);
  const file = request.file();
  return {
    context,
    services,
    params,
    query,
    body,
    file,
    signal: undefined,
    begun: undefined,
    prefetched: await prefetch?.prefetched(),
    prepared: await route.prepare?.({ context, params, body, file, services }),
    lastEventId: headers['last-event-id']?.toString() || undefined,
    requestUuid,
    languages: headers['accept-language'],
    session,
  };
}

/** The answer of a request: of the handler, or stored for its Idempotency-Key. */
export type Done = { body: string } | { stored: Answer & { replayed: boolean } };

/** Performs a request whose route answers at once, and sends the answer. */
export async function answerAtOnce(
  endpoint: Endpoint,
  { input, idempotency, expected }: ValidRequest,
  { send, setTag }: { send: (done: Done) => void; setTag: (tag: string) => void },
): Promise<void> {
  const { route, serialise } = endpoint;
  // An Idempotency-Key replaces the database of the input by its transaction.
  const committed = { ...input };
  const act = () => perform(endpoint, input);
  await givingBack(route, input, async () => {
    if (route.idempotent === true && idempotency !== undefined) {
      const stored = await answerOnce(endpoint, input, idempotency, act);
      if (route.afterCommit !== undefined) {
        const answer: unknown = JSON.parse(stored.body);
        await route.afterCommit(committed, answer);
        stored.body = serialise(answer);
      }
      send({ stored });
      return stored;
    }
    if (expected === undefined) {
      const answer = await act();
      await route.afterCommit?.(committed, answer);
      send({ body: serialise(answer) });
    } else send({ body: serialise(await performIfMatch(route, { setTag, input, expected }, act)) });
    return { replayed: false };
  });
}

/** Gives back what was prepared, unless the request has used it. What cannot be given back is left to the collector. */
async function givingBack(
  { giveBack }: Route,
  { context, prepared }: HandlerInput,
  answer: () => Promise<{ replayed: boolean }>,
): Promise<void> {
  let isUsed = false;
  try {
    isUsed = !(await answer()).replayed;
  } finally {
    if (!isUsed && giveBack !== undefined) await giveBack(context, prepared).catch(() => {});
  }
}

/** Calls the handler, and checks its answer. */
async function perform({ route, mismatches }: Endpoint, input: HandlerInput): Promise<unknown> {
  const answer = await route.handler(input);
  const errors = mismatches(answer);
  if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
  return answer;
}
