import type { Context, Middleware } from 'koa';
import type { ModelsContext, ServiceContext } from '../../../domain/kernel/context.js';
import { deviceCookie, noSessionCookie, sessionCookie } from '../../auth/session-cookie.js';
import { type ParseBody, receiveBody } from '../body/read-body.js';
import { refuseBody } from '../body/refuse-body.js';
import type { BrowserSession, Route } from '../define-route.js';
import { type ProblemAnswer, ResponseMismatch } from '../problems/problem.js';
import { addressName } from '../rate-limits/address-name.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import type { Services } from '../services.js';
import { eventEncoder, type UntypedEvent } from '../streams/encode-events.js';
import type { EventStream, EventStreamTiming } from '../streams/event-stream.js';
import { serveEvents } from '../streams/serve-events.js';
import { serveStream } from '../streams/serve-stream.js';
import { readMultipart } from '../uploads/read-multipart.js';
import { removingSpool, uploadedFile } from '../uploads/spool.js';
import { compileRequest, compileResponse } from '../validation/validation.js';
import { callerOf } from './caller.js';
import { callerIds } from './caller-ids.js';
import { admitOrigin, beginCrossOrigin, crossOriginRequest } from './cross-origin.js';
import { answerOnce, readIdempotency } from './idempotency.js';
import type { LargeRequests } from './large-requests.js';
import { admissionOf } from './limit.js';
import { preparePrefetch } from './prefetch.js';

/** What routes are served with. */
export interface Server {
  /** The context of a caller who is not known yet. */
  context: ModelsContext;
  services: Services;
  eventStreams: EventStreamTiming;
  /** Called for errors after an event stream has begun. */
  onMismatch: (mismatch: ResponseMismatch) => void;
  /** How long a streamed answer waits for a reader that takes nothing. */
  readerPatienceMs: number;
  /** Called for errors after a streamed answer has begun. */
  onFailure: (ctx: Context, failure: ProblemAnswer) => void;
  rateLimits: RateLimits;
  large: LargeRequests;
  /** Turns for routes that evaluate expressions. */
  evaluations: LargeRequests;
  /** Turns for streamed answers, and for each of their pieces. */
  files: LargeRequests;
  pieces: LargeRequests;
  /** Without a trailing slash and without `/api/v2`. */
  publicUrl: string;
  /** Whether answers are checked against their declarations. */
  checkResponses: boolean;
}

/** Builds the middleware for a route: access, then validation, then the handler. */
export function serveRoute(route: Route, server: Server): Middleware {
  const request = compileRequest(route);
  const ownOrigin = new URL(server.publicUrl).origin;
  const mismatches = server.checkResponses ? compileResponse(route) : () => [];
  const admit = admissionOf(route);
  const { events, stream } = route.response;
  const encode = eventEncoder(route.operationId, events ?? {}, server.checkResponses);

  const serve = async (ctx: Context) => {
    ctx.state.route = route;
    const pathParameters: Record<string, string> = ctx.params;
    let receiving: Promise<ParseBody> | undefined;
    const received = (): Promise<ParseBody> => {
      receiving ??= receive(ctx, route);
      return receiving;
    };

    // Large requests do not prefetch, because they first wait for their turn.
    const early = server.large.isLarge(ctx, route)
      ? undefined
      : preparePrefetch(route, request, { params: pathParameters, query: ctx.query });
    const crossOrigin = crossOriginRequest(ctx, { workspaceUuid: pathParameters.workspace_uuid, ownOrigin });
    if (crossOrigin !== undefined) beginCrossOrigin(ctx);
    const grant = async () => {
      const granted = await route.access.grant({
        context: server.context,
        services: server.services,
        method: ctx.method,
        headers: ctx.headers,
        ownOrigin,
        address: addressName(ctx.ip),
        params: pathParameters,
        url: server.publicUrl + ctx.originalUrl,
        form: async () => (route.consumes === 'form' ? textFields((await received())()) : {}),
        prefetch: early?.prefetch,
      });
      if (crossOrigin !== undefined) await admitOrigin(ctx, crossOrigin, server.context);
      return granted;
    };
    const granted = withOwnDatabase(route, await admit(ctx, server.rateLimits, grant));
    ctx.state.caller = callerIds(granted);
    const params = early?.params ?? request.params(pathParameters);
    const parse = route.body === undefined ? await refuseBody(ctx.req) : await received();
    const serveGranted = async () => {
      const sent = parse?.();
      const idempotency = readIdempotency(route, ctx.headers, { query: ctx.query, body: sent });
      const query = early?.query ?? request.query(ctx.query);
      const checked = request.body(sent);
      const { services } = server;
      const input = {
        session: browserSession(ctx),
        params,
        query,
        body: checked,
        prefetched: await early?.prefetched(),
        prepared: await route.prepare?.({ body: checked, services }),
        services,
        lastEventId: ctx.get('Last-Event-ID') || undefined,
        file: uploadedFile(ctx),
        signal: undefined,
      };

      if (events !== undefined) {
        const stream = (await route.handler({ ...input, context: granted })) as EventStream<
          UntypedEvent,
          unknown
        >;
        const { eventStreams: timing, onMismatch } = server;
        serveEvents(ctx, { stream, encode, timing, grant, onMismatch });
        return;
      }
      if (stream !== undefined) {
        await serveStream(ctx, {
          operationId: route.operationId,
          declared: route.response,
          begin: (signal) => route.handler({ ...input, context: granted, signal }),
          mismatches,
          onFailure: (failure) => server.onFailure(ctx, failure),
          patienceMs: server.readerPatienceMs,
          enter: () => server.files.turn(ctx, granted),
          turn: () => server.pieces.turn(ctx, granted),
        });
        return;
      }
      const perform = async (context: unknown): Promise<unknown> => {
        const answer = await route.handler(Object.assign(input, { context }));
        const errors = mismatches(answer);
        if (errors.length > 0) throw new ResponseMismatch(route.operationId, errors);
        return answer;
      };
      if (idempotency === undefined) {
        send(ctx, route, await perform(granted));
        return;
      }
      const { status, body: text, replayed } = await answerOnce(route, granted, params, idempotency, perform);
      if (replayed) ctx.set('Idempotency-Replayed', 'true');
      ctx.status = status;
      if (text !== '') ctx.type = 'application/json';
      ctx.body = text === '' ? null : text;
    };
    const serveInTurn = async () => {
      const end = await server.evaluations.turn(ctx, granted);
      await serveGranted().finally(end);
    };
    const takesTurns = events === undefined && stream === undefined;
    if (takesTurns) {
      await server.large.serve(ctx, route, granted, route.evaluates ? serveInTurn : serveGranted);
    } else {
      await serveGranted();
    }
  };
  return route.file === undefined ? serve : removingSpool(serve);
}

/**
 * Returns the context with a database that is limited to the caller's share of connections. It waits longer for a
 * connection if the route reads or writes a whole file.
 */
function withOwnDatabase({ method, response, file }: Route, granted: unknown): unknown {
  const holder = callerOf(granted)?.owner;
  const isForCommand = method !== 'GET';
  const isPatient = response.stream !== undefined || file !== undefined;
  if (holder === undefined && !isForCommand && !isPatient) return granted;
  const terms = { ...(holder === undefined ? {} : { holder }), isForCommand, isPatient };
  const context = granted as ServiceContext;
  return { ...context, db: context.db.withTerms(terms) };
}

async function receive(ctx: Context, { consumes, file }: Route): Promise<ParseBody> {
  if (file === undefined) return receiveBody(ctx, consumes === 'form' ? 'form' : 'json');
  const form = await readMultipart(ctx, file);
  return () => form;
}

/** Sets the cookies of the caller's browser. */
function browserSession(ctx: Context): BrowserSession {
  return {
    hold: (token, seconds) => ctx.append('Set-Cookie', sessionCookie(token, seconds)),
    remember: (deviceToken, seconds) => ctx.append('Set-Cookie', deviceCookie(deviceToken, seconds)),
    drop: () => ctx.append('Set-Cookie', noSessionCookie()),
  };
}

function send(ctx: Context, { response }: Route, answer: unknown): void {
  ctx.status = response.status;
  if (response.schema === undefined || response.stream !== undefined) return;
  ctx.type = response.contentType ?? 'application/json';
  ctx.body = response.contentType === undefined ? JSON.stringify(answer) : answer;
}

/** A form in the shape that its signature covers: the last value of each field. */
function textFields(form: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form as Record<string, unknown>).map(([name, value]) => [
      name,
      String([value].flat().at(-1)),
    ]),
  );
}
