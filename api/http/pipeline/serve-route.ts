import type { Context, Middleware } from 'koa';
import type { EnteredTx } from '../../../db/database.js';
import type { ServiceContext } from '../../../domain/kernel/context.js';
import type { Answer } from '../../../domain/kernel/idempotency.js';
import { Forbidden } from '../../../domain/lib/errors.js';
import {
  deviceCookie,
  noOrganizationCookie,
  noSessionCookie,
  organizationCookie,
  sessionCookie,
  signOnCookie,
} from '../../auth/session-cookie.js';
import type { HandlerInput, Route } from '../define-route.js';
import { serveFile } from '../files/serve-file.js';
import type { ServedFile } from '../files/served-file.js';
import { HttpProblem, ResponseMismatch } from '../problem.js';
import { type ParseBody, passOverBody, receiveBody, refuseBody } from '../read-body.js';
import type { EventStream, StreamDeclaration } from '../streams/event-stream.js';
import { serveEvents, type UntypedEvent } from '../streams/serve-events.js';
import { serveStream } from '../streams/serve-stream.js';
import { readMultipart } from '../uploads/read-multipart.js';
import { readRaw } from '../uploads/read-raw.js';
import { removingSpool, uploadedFile } from '../uploads/uploaded-file.js';
import { type Authenticate, authentication, type Caller, callerOf, limit } from './authenticate.js';
import { answerFresh, type Expected, performIfMatch, readIfMatch } from './conditional.js';
import { compileEndpoint, type Endpoint, type Server } from './endpoint.js';
import { answerOnce, type Idempotency, readIdempotency, requestUuidOf } from './idempotency.js';

/** Builds the middleware for a route: the steps of each request, in their order. */
export function serveRoute(route: Route, server: Server): Middleware {
  const endpoint = compileEndpoint(route, server);

  const serve = async (ctx: Context) => {
    ctx.state.route = route;
    if (ctx.state.publicPath !== undefined && route.access.kind !== 'carrier') throw nothingHere();
    const receive = requestBody(endpoint, ctx);
    const prefetch = preparePrefetch(endpoint, ctx);
    const authenticate = authentication(endpoint, ctx, { receive, prefetch });
    const granted = await limit(endpoint, ctx, authenticate);
    const caller = callerOf(granted);
    ctx.state.caller = caller;
    const context = withOwnDatabase(route, granted, caller);
    const params = prefetch?.params ?? endpoint.validation.params(ctx.params);
    const parse = await receive();
    await takeTurn(endpoint, ctx, context, async () => {
      const sent = parse();
      const idempotency = readIdempotency(route, ctx.headers, {
        query: ctx.query,
        body: sent,
        file: uploadedFile(ctx),
      });
      const expected = readIfMatch(route, ctx);
      const requestUuid = requestUuidOf(route, { context, params }, idempotency);
      const input = await validate(endpoint, ctx, { context, params, sent, prefetch, requestUuid });
      await respond(endpoint, { ctx, input, idempotency, expected, authenticate });
    });
  };
  const noted = async (ctx: Context) => {
    try {
      await serve(ctx);
    } catch (error) {
      noteDenied(endpoint, ctx, error);
      throw error;
    }
  };
  return route.file === undefined ? noted : removingSpool(noted);
}

/** Records what a known caller may not do. The answer neither waits for it nor fails with it. */
function noteDenied({ route, server }: Endpoint, ctx: Context, error: unknown): void {
  if (!(error instanceof Forbidden)) return;
  const caller = callerOf(ctx.state.identified ?? {});
  if (caller === undefined) return;
  const { db, clock } = server.context;
  // Scopes and permissions are codes; the others are words for people.
  const lacked = /^[a-z_]+:[a-z_]+$/.test(error.missing) ? [error.missing] : [];
  const names = [route.operationId, error.code, ...lacked];
  server.denied.note({ db, now: clock.now() }, caller, names).catch(() => {});
}

/** Receives the body once, however often it is called: authentication may need a form first. */
function requestBody(endpoint: Endpoint, ctx: Context): () => Promise<ParseBody> {
  let receiving: Promise<ParseBody> | undefined;
  return () => {
    receiving ??= receive(ctx, endpoint);
    return receiving;
  };
}

async function receive(ctx: Context, { route, server }: Endpoint): Promise<ParseBody> {
  const { body, consumes, file } = route;
  const { storage } = server.services;
  if (file?.mediaType !== undefined) {
    await readRaw(ctx, { ...file, mediaType: file.mediaType }, storage);
    return () => undefined;
  }
  if (body === undefined) {
    await (route.passesOverBody === true ? passOverBody(ctx.req) : refuseBody(ctx.req));
    return () => undefined;
  }
  if (file === undefined) return receiveBody(ctx, consumes === 'form' ? 'form' : 'json');
  const form = await readMultipart(ctx, file, storage);
  return () => form;
}

/** The route's queries that are sent with authentication. */
export interface Prefetch {
  params: unknown;
  query: unknown;
  /** Sends the queries, with the look-up of the caller. */
  prefetch: (tx: EnteredTx) => Promise<unknown>;
  /** The result; undefined if nothing was sent, or it failed. Must not reach a caller before access is granted. */
  prefetched: () => Promise<unknown>;
}

/**
 * Returns undefined if the route has no prefetch, if the request is large and so waits for its turn first, or if path
 * or query are invalid: validation errors are reported only after authentication.
 */
function preparePrefetch({ route, server, validation }: Endpoint, ctx: Context): Prefetch | undefined {
  const { prefetch } = route;
  if (prefetch === undefined || server.large.isLarge(ctx, route)) return undefined;
  let input: { params: unknown; query: unknown };
  try {
    input = { params: validation.params(ctx.params), query: validation.query(ctx.query) };
  } catch {
    return undefined;
  }
  let asking: Promise<unknown> | undefined;
  return {
    ...input,
    prefetch: (tx) => {
      asking = prefetch(tx, input);
      return asking;
    },
    // On failure the request continues without the prefetch: the handler's own read reports the error if it persists.
    prefetched: async () => asking?.catch(() => undefined),
  };
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
 * Serves a request whose body is received. Large requests, and those that evaluate expressions or search texts, wait for
 * their turn; the pieces of a streamed answer take turns by themselves.
 */
function takeTurn({ route, server }: Endpoint, ctx: Context, context: unknown, serve: () => Promise<void>) {
  if (route.response.events !== undefined || route.response.stream !== undefined) return serve();
  // A file that is kept stays on disk: it takes no time of the event loop, but storing it may take seconds.
  if (route.file?.kept === true) return serve();
  const turns = route.evaluates ? server.evaluations : route.searches ? server.searches : undefined;
  if (turns === undefined) return server.large.serve(ctx, route, context, serve);
  return server.large.serve(ctx, route, context, async () => {
    const end = await turns.turn(ctx, context);
    await serve().finally(end);
  });
}

/** Validates query and body, and collects what the handler receives. */
async function validate(
  { route, server: { services }, validation }: Endpoint,
  ctx: Context,
  request: {
    context: unknown;
    params: unknown;
    sent: unknown;
    prefetch: Prefetch | undefined;
    requestUuid: string;
  },
): Promise<HandlerInput> {
  const { context, params, sent, prefetch, requestUuid } = request;
  const query = prefetch?.query ?? validation.query(ctx.query);
  const body = validation.body(sent);
  const file = uploadedFile(ctx);
  return {
    context,
    services,
    params,
    query,
    body,
    file,
    signal: undefined,
    prefetched: await prefetch?.prefetched(),
    prepared: await route.prepare?.({ context, params, body, file, services }),
    lastEventId: ctx.get('Last-Event-ID') || undefined,
    requestUuid,
    session: {
      hold: (token, seconds) => ctx.append('Set-Cookie', sessionCookie(token, seconds)),
      remember: (deviceToken, seconds) => ctx.append('Set-Cookie', deviceCookie(deviceToken, seconds)),
      keepFlow: (sealed, seconds) => ctx.append('Set-Cookie', signOnCookie(sealed, seconds)),
      dropFlow: () => ctx.append('Set-Cookie', signOnCookie('', 0)),
      join: (token, seconds) => ctx.append('Set-Cookie', organizationCookie(token, seconds)),
      drop: () => {
        ctx.append('Set-Cookie', noSessionCookie());
        ctx.append('Set-Cookie', noOrganizationCookie());
      },
    },
  };
}

/** A valid request of a caller who may make it. */
interface ValidRequest {
  ctx: Context;
  input: HandlerInput;
  idempotency: Idempotency | undefined;
  /** The ETags of its `If-Match`. */
  expected: Expected | undefined;
  authenticate: Authenticate;
}

/** Performs a request and answers it: with an event stream, in pieces, with a file, or at once. */
async function respond(endpoint: Endpoint, request: ValidRequest): Promise<void> {
  const { route } = endpoint;
  const { response } = route;
  if (response.events !== undefined) return openEvents(endpoint, request);
  if (response.stream !== undefined) return sendPieces(endpoint, response, request);
  if (response.file !== undefined) return sendFile(endpoint, request);
  if (response.redirect !== undefined) return sendElsewhere(endpoint, request);
  const { ctx, input, idempotency, expected } = request;
  const act = () => perform(endpoint, input);
  await givingBack(route, input, async () => {
    if (route.idempotent && idempotency !== undefined) {
      return sendStored(ctx, await answerOnce(route, input, idempotency, act));
    }
    if (expected === undefined) send(ctx, route, await act());
    else send(ctx, route, await performIfMatch(route, { ctx, input, expected }, act));
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

async function openEvents(
  { route, server, encode }: Endpoint,
  { ctx, input, authenticate }: ValidRequest,
): Promise<void> {
  const { eventStreams: timing, onMismatch } = server;
  const stream = (await route.handler(input)) as EventStream<UntypedEvent, unknown>;
  serveEvents(ctx, { stream, encode, timing, authenticate, onMismatch });
}

function sendPieces(
  { route, server, mismatches }: Endpoint,
  declared: StreamDeclaration,
  { ctx, input }: ValidRequest,
): Promise<void> {
  return serveStream(ctx, {
    operationId: route.operationId,
    declared,
    begin: (signal) => {
      input.signal = signal;
      return route.handler(input);
    },
    mismatches,
    onFailure: (failure) => server.onFailure(ctx, failure),
    patienceMs: server.readerPatienceMs,
    enter: () => server.files.turn(ctx, input.context),
    turn: () => server.pieces.turn(ctx, input.context),
  });
}

async function sendElsewhere({ route }: Endpoint, { ctx, input }: ValidRequest): Promise<void> {
  const { location } = (await route.handler(input)) as { location: string };
  ctx.body = null;
  ctx.status = 303;
  ctx.set('Location', location);
}

async function sendFile({ route, server }: Endpoint, { ctx, input }: ValidRequest): Promise<void> {
  const file = (await route.handler(input)) as ServedFile;
  await serveFile(ctx, file, {
    enter: () => server.downloads.turn(ctx, input.context),
    onFailure: (failure) => server.onFailure(ctx, failure),
    patienceMs: server.readerPatienceMs,
  });
}

/** Calls the handler, and checks its answer. */
async function perform({ route, mismatches }: Endpoint, input: HandlerInput): Promise<unknown> {
  const answer = await route.handler(input);
  const errors = mismatches(answer);
  if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
  return answer;
}

function send(ctx: Context, route: Route, answer: unknown): void {
  const { response } = route;
  ctx.status = response.status;
  if (response.redirect !== undefined) return;
  if (response.schema === undefined || response.stream !== undefined) return;
  ctx.type = response.contentType ?? 'application/json';
  if (route.publicForSeconds !== undefined) {
    ctx.set('Cache-Control', `public, max-age=${route.publicForSeconds}`);
  }
  const body = response.contentType === undefined ? JSON.stringify(answer) : answer;
  ctx.body = body;
  if (route.freshSeconds !== undefined) ctx.set('Cache-Control', `public, max-age=${route.freshSeconds}`);
  if (typeof body === 'string') answerFresh(ctx, route, body);
}

function sendStored(
  ctx: Context,
  { status, body, replayed }: Answer & { replayed: boolean },
): { replayed: boolean } {
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  ctx.status = status;
  if (body !== '') ctx.type = 'application/json';
  ctx.body = body === '' ? null : body;
  return { replayed };
}

/** Below a public path there is nothing but what the carrier calls. */
function nothingHere(): HttpProblem {
  return new HttpProblem(404, 'not_found', 'There is nothing at this address.');
}
