import type { Context } from 'koa';
import { serveFile } from '../files/serve-file.js';
import type { ServedFile } from '../files/served-file.js';
import type { Route } from '../route.js';
import type { EventStream, StreamDeclaration } from '../streams/event-stream.js';
import { serveEvents, type UntypedEvent } from '../streams/serve-events.js';
import { serveStream } from '../streams/serve-stream.js';
import type { Authenticate } from './authenticate.js';
import { answerFresh } from './conditional.js';
import type { Endpoint } from './endpoint.js';
import { answerAtOnce, type Done, type ValidRequest } from './perform-request.js';

/** A valid request, and where it is answered. */
export interface HttpRequest extends ValidRequest {
  ctx: Context;
  authenticate: Authenticate;
}

/** Performs a request and answers it. */
export type Respond = (endpoint: Endpoint, request: HttpRequest) => Promise<void>;

/** How a route answers: with an event stream, in pieces, with a file, elsewhere, or at once. */
export function responderOf({ response }: Route): Respond {
  if (response.events !== undefined) return openEvents;
  if (response.stream !== undefined) return (endpoint, request) => sendPieces(endpoint, response, request);
  if (response.file !== undefined) return sendFile;
  if (response.redirect !== undefined) return sendElsewhere;
  return (endpoint, request) => {
    const { ctx } = request;
    return answerAtOnce(endpoint, request, {
      send: (done) => sendDone(ctx, endpoint.route, done),
      setTag: (tag) => ctx.set('ETag', tag),
    });
  };
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
  { route, server, mismatches, serialise }: Endpoint,
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
    serialise,
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
  else send(ctx, route, done.body);
}

function send(ctx: Context, route: Route, body: string): void {
  const { response } = route;
  ctx.status = response.status;
  if (response.redirect !== undefined) return;
  if (response.schema === undefined || response.stream !== undefined) return;
  ctx.type = response.contentType ?? 'application/json';
  if (response.headers !== undefined) ctx.set(response.headers);
  ctx.body = body;
  if (route.publicSeconds !== undefined) ctx.set('Cache-Control', `public, max-age=${route.publicSeconds}`);
  answerFresh(ctx, route, body);
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
