import type { Context, Middleware } from 'koa';
import type { Logger } from '../../runtime/logger.js';
import { type ProblemAnswer, toProblem } from './problem.js';

/** Answers whatever is thrown further in as `application/problem+json`. */
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
  logFailure(ctx, failure, logger);
  ctx.state.problemCode = problem.code;
  ctx.set(headers);
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problem);
}

/** Logs what is our own fault, and nothing of the request but its id and operation. */
export function logFailure(ctx: Context, { problem, log }: ProblemAnswer, logger: Logger): void {
  if (log === undefined) return;
  const { requestId, code } = problem;
  logger.error({ requestId, operation: ctx.state.route?.operationId ?? null, code, ...log }, 'failed');
}
