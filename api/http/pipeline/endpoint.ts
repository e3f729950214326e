import type { Context } from 'koa';
import type { TurnName } from '../../../domain/kernel/admissions.js';
import type { DeniedAccess } from '../../../domain/kernel/audit/denied-access.js';
import type { ModelsContext } from '../../../domain/kernel/context.js';
import type { FieldError } from '../../../domain/lib/errors.js';
import type { ProblemAnswer, ResponseMismatch } from '../problem.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import type { Route } from '../route.js';
import { type Serialise, serialiserOf } from '../serialise.js';
import type { Services } from '../services.js';
import type { EventStreamTiming } from '../streams/event-stream.js';
import { eventEncoder, type UntypedEvent } from '../streams/serve-events.js';
import { compileRequest, compileResponse, type RequestValidation } from '../validation/validation.js';
import type { LargeRequests } from './large-requests.js';
import type { Turns } from './turns.js';

/** What the requests of all routes are served with. */
export interface Server {
  context: ModelsContext;
  services: Services;
  rateLimits: RateLimits;
  large: LargeRequests;
  turns: Record<TurnName, Turns>;
  eventStreams: EventStreamTiming;
  /** Records requests that were refused with 403. */
  denied: DeniedAccess;
  /** Called for errors after an event stream has begun; `onFailure`: after a streamed answer has begun. */
  onMismatch: (mismatch: ResponseMismatch) => void;
  onFailure: (ctx: Context, failure: ProblemAnswer) => void;
  /** How long a streamed answer waits for a reader that takes nothing. */
  readerPatienceMs: number;
  /** Without a trailing slash and without `/api/v2`. */
  publicUrl: string;
  ownOrigin: string;
  /** What OAuth tokens have to be for to be accepted by the routes (RFC 8707). */
  resource: string;
  /** Whether answers are checked against their declarations. */
  checkResponses: boolean;
}

/** A route with what the steps of its requests need, compiled once. */
export interface Endpoint {
  readonly route: Route;
  readonly server: Server;
  readonly validation: RequestValidation;
  /** Returns the differences between an answer, or a line of it, and its declaration. */
  readonly mismatches: (answer: unknown) => FieldError[];
  /** Writes an answer, or a line of it. */
  readonly serialise: Serialise;
  readonly encode: (event: UntypedEvent) => string;
}

export function compileEndpoint(route: Route, server: Server): Endpoint {
  return {
    route,
    server,
    validation: compileRequest(route),
    mismatches: server.checkResponses ? compileResponse(route) : () => [],
    serialise: serialiserOf(route),
    encode: eventEncoder(route.operationId, route.response.events ?? {}, server.checkResponses),
  };
}
