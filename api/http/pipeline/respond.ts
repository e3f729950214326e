import type { Context } from 'koa';
import type { Answer } from '../../../domain/kernel/idempotency.js';
import type { HandlerInput, ResponseDeclaration } from '../define-route.js';
import { ResponseMismatch } from '../problem.js';
import type { EventStream, StreamDeclaration } from '../streams/event-stream.js';
import { serveEvents, type UntypedEvent } from '../streams/serve-events.js';
import { serveStream } from '../streams/serve-stream.js';
import type { Authenticate } from './authenticate.js';
import type { Endpoint } from './endpoint.js';
import { answerOnce, type Idempotency } from './idempotency.js';

/** A valid request of a caller who may make it. */
interface ValidRequest {
  ctx: Context;
  input: HandlerInput;
  idempotency: Idempotency | undefined;
  authenticate: Authenticate;
}

/** Performs a request and answers it: with an event stream, in pieces, or at once. */
export async function respond(endpoint: Endpoint, request: ValidRequest): Promise<void> {
  const { response } = endpoint.route;
  if (response.events !== undefined) return openEvents(endpoint, request);
  if (response.stream !== undefined) return sendPieces(endpoint, response, request);
  const { ctx, input, idempotency } = request;
  const act = () => perform(endpoint, input);
  if (idempotency === undefined) send(ctx, response, await act());
  else sendStored(ctx, await answerOnce(endpoint.route, input, idempotency, act));
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

function send(ctx: Context, response: ResponseDeclaration, answer: unknown): void {
  ctx.status = response.status;
  if (response.schema === undefined || response.stream !== undefined) return;
  ctx.type = response.contentType ?? 'application/json';
  ctx.body = response.contentType === undefined ? JSON.stringify(answer) : answer;
}

function sendStored(ctx: Context, { status, body, replayed }: Answer & { replayed: boolean }): void {
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  ctx.status = status;
  if (body !== '') ctx.type = 'application/json';
  ctx.body = body === '' ? null : body;
}

/** Calls the handler, and checks its answer. */
export async function perform({ route, mismatches }: Endpoint, input: HandlerInput): Promise<unknown> {
  const answer = await route.handler(input);
  const errors = mismatches(answer);
  if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
  return answer;
}
