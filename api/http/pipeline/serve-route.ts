import type { Context, Middleware } from 'koa';
import {
  deviceCookie,
  noOrganizationCookie,
  noSessionCookie,
  organizationCookie,
  sessionCookie,
  signOnCookie,
} from '../../auth/session-cookie.js';
import { serveFile } from '../files/serve-file.js';
import type { ServedFile } from '../files/served-file.js';
import { HttpProblem } from '../problem.js';
import { type ParseBody, passOverBody, receiveBody, refuseBody } from '../read-body.js';
import type { BrowserSession, Route } from '../route.js';
import type { EventStream, StreamDeclaration } from '../streams/event-stream.js';
import { serveEvents, type UntypedEvent } from '../streams/serve-events.js';
import { serveStream } from '../streams/serve-stream.js';
import { readMultipart } from '../uploads/read-multipart.js';
import { readRaw } from '../uploads/read-raw.js';
import { removingSpool, uploadedFile } from '../uploads/uploaded-file.js';
import { type Authenticate, authentication, limit } from './authenticate.js';
import { callerOf } from './caller.js';
import { answerFresh } from './conditional.js';
import { compileEndpoint, type Endpoint, type Server } from './endpoint.js';
import { noteDenied } from './note-denied.js';
import { answerAtOnce, type Done, performRequest, type ValidRequest } from './perform-request.js';
import { preparePrefetch } from './prefetch.js';

/**
 * Builds the middleware for a route: the steps of each request, in their order. Prefetched queries are sent with
 * authentication, and quotas are counted before a body is read, except the form of the carrier, which its signature covers.
 */
export function serveRoute(route: Route, server: Server): Middleware {
  const endpoint = compileEndpoint(route, server);

  const serve = async (ctx: Context) => {
    ctx.state.route = route;
    if (ctx.state.publicPath !== undefined && route.access.kind !== 'carrier') throw nothingHere();
    const receive = requestBody(endpoint, ctx);
    const prefetch = preparePrefetch(endpoint, { params: ctx.params, query: ctx.query }, ctx);
    const authenticate = authentication(endpoint, ctx, { receive, prefetch });
    const granted = await limit(endpoint, ctx, authenticate);
    const caller = callerOf(granted);
    ctx.state.caller = caller;
    const request = {
      granted,
      caller,
      params: ctx.params,
      query: ctx.query,
      headers: ctx.headers,
      prefetch,
      receive,
      file: () => uploadedFile(ctx),
      session: browserSession(ctx),
      turns: ctx,
    };
    await performRequest(endpoint, request, (valid) => respond(endpoint, { ...valid, ctx, authenticate }));
  };
  const noted = async (ctx: Context) => {
    try {
      await serve(ctx);
    } catch (error) {
      noteDenied(endpoint, ctx.state.identified, error);
      throw error;
    }
  };
  return route.file === undefined ? noted : removingSpool(noted);
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
    await (consumes === 'anything' ? passOverBody(ctx.req) : refuseBody(ctx.req));
    return () => undefined;
  }
  if (file === undefined) return receiveBody(ctx, consumes === 'form' ? 'form' : 'json');
  const form = await readMultipart(ctx, file, storage);
  return () => form;
}

function browserSession(ctx: Context): BrowserSession {
  return {
    hold: (token, seconds) => ctx.append('Set-Cookie', sessionCookie(token, seconds)),
    remember: (deviceToken, seconds) => ctx.append('Set-Cookie', deviceCookie(deviceToken, seconds)),
    keepFlow: (sealed, seconds) => ctx.append('Set-Cookie', signOnCookie(sealed, seconds)),
    dropFlow: () => ctx.append('Set-Cookie', signOnCookie('', 0)),
    join: (token, seconds) => ctx.append('Set-Cookie', organizationCookie(token, seconds)),
    drop: () => {
      ctx.append('Set-Cookie', noSessionCookie());
      ctx.append('Set-Cookie', noOrganizationCookie());
    },
  };
}

/** A valid request, and where it is answered. */
interface HttpRequest extends ValidRequest {
  ctx: Context;
  authenticate: Authenticate;
}

/** Performs a request and answers it: with an event stream, in pieces, with a file, or at once. */
async function respond(endpoint: Endpoint, request: HttpRequest): Promise<void> {
  const { route } = endpoint;
  const { response } = route;
  if (response.events !== undefined) return openEvents(endpoint, request);
  if (response.stream !== undefined) return sendPieces(endpoint, response, request);
  if (response.file !== undefined) return sendFile(endpoint, request);
  if (response.redirect !== undefined) return sendElsewhere(endpoint, request);
  const { ctx } = request;
  await answerAtOnce(endpoint, request, {
    send: (done) => sendDone(ctx, route, done),
    setTag: (tag) => ctx.set('ETag', tag),
  });
}

async function openEvents(
  { route, server, encode }: Endpoint,
  { ctx, input, authenticate }: HttpRequest,
): Promise<void> {
  const { eventStreams: timing, onMismatch } = server;
  const stream = (await route.handler(input)) as EventStream<UntypedEvent, unknown>;
  serveEvents(ctx, { stream, encode, timing, authenticate, onMismatch });
}

function sendPieces(
  { route, server, mismatches }: Endpoint,
  declared: StreamDeclaration,
  { ctx, input }: HttpRequest,
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
    enter: () => server.turns.streams.enter(ctx, input.context),
    turn: () => server.turns.pieces.enter(ctx, input.context),
  });
}

async function sendElsewhere({ route }: Endpoint, { ctx, input }: HttpRequest): Promise<void> {
  const { location } = (await route.handler(input)) as { location: string };
  ctx.body = null;
  ctx.status = 303;
  ctx.set('Location', location);
}

async function sendFile({ route, server }: Endpoint, { ctx, input }: HttpRequest): Promise<void> {
  const file = (await route.handler(input)) as ServedFile;
  await serveFile(ctx, file, {
    enter: () => server.turns.downloads.enter(ctx, input.context),
    onFailure: (failure) => server.onFailure(ctx, failure),
    patienceMs: server.readerPatienceMs,
  });
}

function sendDone(ctx: Context, route: Route, done: Done): void {
  if ('stored' in done) sendStored(ctx, done.stored);
  else send(ctx, route, done.answer);
}

function send(ctx: Context, route: Route, answer: unknown): void {
  const { response } = route;
  ctx.status = response.status;
  if (response.redirect !== undefined) return;
  if (response.schema === undefined || response.stream !== undefined) return;
  ctx.type = response.contentType ?? 'application/json';
  if (response.headers !== undefined) ctx.set(response.headers);
  const body = response.contentType === undefined ? JSON.stringify(answer) : answer;
  ctx.body = body;
  if (route.publicSeconds !== undefined) ctx.set('Cache-Control', `public, max-age=${route.publicSeconds}`);
  if (typeof body === 'string') answerFresh(ctx, route, body);
}

function sendStored(
  ctx: Context,
  { status, body, replayed }: Extract<Done, { stored: unknown }>['stored'],
): void {
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  ctx.status = status;
  if (body !== '') ctx.type = 'application/json';
  ctx.body = body === '' ? null : body;
}

/** Below a public path there is nothing but what the carrier calls. */
function nothingHere(): HttpProblem {
  return new HttpProblem(404, 'not_found', 'There is nothing at this address.');
}
