import type { Context, Middleware } from 'koa';
import type { TObject, TSchema } from 'typebox';
import type { FieldError } from '../../../domain/lib/errors.js';
import type { Logger } from '../../../runtime/logger.js';
import type { Route } from '../define-route.js';
import { type ProblemAnswer, toProblem } from './problem.js';

/** Answers errors that the inner middleware throws with `application/problem+json`. */
export function answerProblems(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      answerProblem(ctx, thrown, logger);
    }
  };
}

function answerProblem(ctx: Context, thrown: unknown, logger: Logger): void {
  const failure = toProblem(thrown, ctx.state.requestId);
  const { problem, headers } = failure;
  if (problem.status < 500) problem.errors = problem.errors.map((error) => withPlace(ctx.state.route, error));
  logFailure(ctx, failure, logger);
  ctx.state.problemCode = problem.code;
  ctx.set(headers);
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problem);
}

/** Commands do not know the parts of a request, so the part is found by the names that the route declares. */
function withPlace(route: Route | undefined, error: FieldError): FieldError {
  const place = error.in ?? (route && placeOf(route, error.pointer.split('/')[1] ?? ''));
  return place === undefined ? error : { ...error, in: place };
}

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
