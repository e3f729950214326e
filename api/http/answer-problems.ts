import type { Context, Middleware } from 'koa';
import type { Logger } from '../../runtime/logger.js';
import { toProblem } from './problem.js';

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
  const requestId: string = ctx.state.requestId;
  const { problem, headers, log } = toProblem(thrown, requestId);
  if (log !== undefined) {
    logger.error(
      { requestId, operation: ctx.state.route?.operationId ?? null, code: problem.code, ...log },
      'failed',
    );
  }
  ctx.state.problemCode = problem.code;
  ctx.set(headers);
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problem);
}
