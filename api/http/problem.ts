import type { Context, Middleware } from 'koa';
import type { TObject, TSchema } from 'typebox';
import { ShareExceeded } from '../../domain/lib/admission.js';
import {
  DomainError,
  describeErrors,
  type FieldError,
  InProgress,
  TooManyRequests,
  Unavailable,
} from '../../domain/lib/errors.js';
import { isCode, safeFrames } from '../../runtime/error-codes.js';
import type { Logger } from '../../runtime/logger.js';
import {
  type AnyErrorCode,
  type RequestErrorCode,
  type RequestErrorStatus,
  statusOfKind,
} from './error-codes.js';
import type { Route } from './route.js';
import type { Problem } from './schemas.js';

export interface ProblemAnswer {
  problem: Problem;
  headers: Record<string, string>;
  /** For internal errors: class, code and place, never the message, which quotes values. */
  log?: { error: string; errorCode?: string; frames: string[] };
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Payload too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  421: 'Misdirected request',
  422: 'Unprocessable content',
  429: 'Too many requests',
  431: 'Request header fields too large',
  500: 'Internal server error',
  503: 'Service unavailable',
};

/** Converts any error to an answer (RFC 9457). No other code does this. */
export function toProblem(thrown: unknown, requestId: string): ProblemAnswer {
  const answer = (
    status: number,
    code: AnyErrorCode,
    detail: string,
    { errors = [], headers = {} }: HttpProblem['details'] = {},
  ): ProblemAnswer => {
    const title = titles[status] ?? 'Error';
    return { problem: { type: 'about:blank', title, status, detail, code, requestId, errors }, headers };
  };

  if (thrown instanceof HttpProblem)
    return answer(thrown.status, thrown.code, thrown.message, thrown.details);
  if (thrown instanceof DomainError) {
    const { kind, code, message, errors }: DomainError = thrown;
    return answer(statusOfKind[kind], code, message, { errors, headers: headersOf(thrown) });
  }
  if (thrown instanceof ShareExceeded) {
    const detail = 'This workspace or account has too many requests in progress.';
    return answer(429, 'rate_limited', detail, { headers: { 'Retry-After': '1' } });
  }
  const log = logOf(thrown);
  if (thrown instanceof ResponseMismatch) {
    const { message, errors } = thrown;
    const errorCode = errors.map((error) => error.pointer).join(' ');
    return { ...answer(500, 'response_mismatch', message, { errors }), log: { ...log, errorCode } };
  }
  const passing = passingDatabaseError(thrown);
  if (passing === undefined) {
    return { ...answer(500, 'internal_error', 'Something went wrong on our side.'), log };
  }
  const headers = { 'Retry-After': String(passing.retryAfter) };
  return { ...answer(500, passing.code, passing.detail, { headers }), log };
}

/** The answer of a handler does not match the route's declaration. Thrown in tests and development. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
  constructor(
    operationId: string,
    readonly errors: FieldError[],
  ) {
    super(`The answer of ${operationId} is not what the route declares.`);
  }
}

function headersOf(error: DomainError): Record<string, string> {
  if (error instanceof Unavailable || error instanceof TooManyRequests || error instanceof InProgress) {
    return { 'Retry-After': String(error.retryAfterSeconds) };
  }
  if (error.kind === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  if (error.code === 'insufficient_scope') return { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' };
  return {};
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const lostConnection =
  /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const lostRace = /^(40001|40P01|55P03)$/;
const lostByMessage =
  /^(Connection terminated|Client has encountered a connection error|timeout (expired|exceeded when trying to connect))/;

function passingDatabaseError(
  thrown: unknown,
): { code: AnyErrorCode; detail: string; retryAfter: number } | undefined {
  const code = codeOf(thrown) ?? '';
  const lost = lostConnection.test(code) || (thrown instanceof Error && lostByMessage.test(thrown.message));
  if (lost) return { code: 'database_unavailable', detail: 'The database cannot be reached.', retryAfter: 5 };
  if (code === '57014') {
    return { code: 'database_busy', detail: 'The database took too long. Please try again.', retryAfter: 5 };
  }
  const detail = 'Another change came in between. Please try again.';
  return lostRace.test(code) ? { code: 'database_busy', detail, retryAfter: 1 } : undefined;
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  // Objection wraps the driver's error.
  const { nativeError, code } = thrown as { nativeError?: unknown; code?: unknown };
  return nativeError === undefined ? (typeof code === 'string' ? code : undefined) : codeOf(nativeError);
}

function logOf(thrown: unknown): NonNullable<ProblemAnswer['log']> {
  const code = codeOf(thrown);
  const error = thrown instanceof Error ? thrown.constructor.name : typeof thrown;
  const frames = safeFrames(thrown).slice(0, 12);
  return { error, ...(isCode(code) && { errorCode: code }), frames: frames.map((line) => line.trim()) };
}

/** An HTTP error about the request itself, thrown before a command runs. */
export class HttpProblem<Status extends RequestErrorStatus = RequestErrorStatus> extends Error {
  override readonly name = 'HttpProblem';
  readonly code: AnyErrorCode;

  constructor(
    readonly status: Status,
    code: RequestErrorCode<Status>,
    message: string,
    readonly details: { errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code as AnyErrorCode;
  }

  static invalid(errors: FieldError[]): HttpProblem {
    return new HttpProblem(400, 'validation_failed', describeErrors(errors), { errors });
  }
}

/** Answers a person in a browser with a page. False: a program asks. */
export type ProblemPages = (ctx: Context, problem: Problem) => Promise<boolean>;

/** Answers errors that the inner middleware throws with `application/problem+json`, and people with a page. */
export function answerProblems(logger: Logger, pages: ProblemPages = async () => false): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const failure = toProblem(thrown, ctx.state.requestId);
      const { problem, headers } = failure;
      if (problem.status < 500)
        problem.errors = problem.errors.map((error) => withPlace(ctx.state.route, error));
      logFailure(ctx, failure, logger);
      ctx.state.problemCode = problem.code;
      ctx.set(headers);
      // What a client of the tools is to ask for, instead of the plain challenge.
      if (headers['WWW-Authenticate'] !== undefined && ctx.state.challenge !== undefined)
        ctx.set('WWW-Authenticate', ctx.state.challenge);
      if (await pages(ctx, problem)) return;
      ctx.status = problem.status;
      ctx.type = 'application/problem+json';
      ctx.body = JSON.stringify(problem);
    }
  };
}

function withPlace(route: Route | undefined, error: FieldError): FieldError {
  const place = error.in ?? (route && placeOf(route, error.pointer.split('/')[1] ?? ''));
  return place === undefined ? error : { ...error, in: place };
}

/** Commands do not know the parts of a request, so the part is found by the names that the route declares. */
function placeOf({ params, query, body }: Route, name: string): FieldError['in'] {
  const declares = (schema: TSchema | undefined) =>
    Object.hasOwn((schema as Partial<TObject> | undefined)?.properties ?? {}, name);
  if (declares(body)) return 'body';
  if (declares(query)) return 'query';
  if (declares(params)) return 'path';
  return body === undefined ? undefined : 'body';
}

/** Logs errors of the service itself; of the request, only its id and operation. */
export function logFailure(ctx: Context, { problem, log }: ProblemAnswer, logger: Logger): void {
  if (log === undefined) return;
  const { requestId, code } = problem;
  logger.error({ requestId, operation: ctx.state.route?.operationId ?? null, code, ...log }, 'failed');
}
