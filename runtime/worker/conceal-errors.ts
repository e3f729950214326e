import { randomUUID } from 'node:crypto';
import { CompleteAsyncError, type Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { DomainError, InProgress, Unavailable } from '../../domain/lib/errors.js';
import { stepFailed } from '../../workflows/contracts/failures.js';
import { isCode, safeCode, safeStack } from '../error-codes.js';
import type { Logger } from '../logger.js';

/** Attempts at a step that fails with a permanent error. */
const attemptsOfStep = 5;

/**
 * Replaces every error of an activity by a code and a request id before it reaches a history. The process's log has the
 * same id with the stack frames.
 */
export function concealErrors(logger: Logger): (context: Context) => ActivityInterceptors {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          throw conceal(error, context, logger);
        }
      },
    },
  });
}

function conceal(error: unknown, context: Context, logger: Logger): unknown {
  // Errors of the service with a message of their own pass; cancellation and asynchronous completion are not errors.
  if (error instanceof ApplicationFailure && error.cause === undefined) return withoutStack(error);
  if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  if (context.cancellationSignal.aborted) return new CancelledFailure('cancelled');

  const requestId = randomUUID();
  const code = safeCode(error);
  const { activityType, attempt } = context.info;
  logger.warn({ requestId, activityType, attempt, code, stack: safeStack(error) }, 'activity failed');
  return withoutStack(
    ApplicationFailure.create({
      message: `${code} (request ${requestId})`,
      type: isStepFailed(error, context) ? stepFailed : code,
      nonRetryable: isDefinite(error),
    }),
  );
}

/** Whether a command refused the request for good. A refusal that says when to retry is not definite. */
function isDefinite(error: unknown): boolean {
  return error instanceof DomainError && !(error instanceof Unavailable) && !(error instanceof InProgress);
}

/** Whether retrying is pointless and the caller has asked for this error. */
function isStepFailed(error: unknown, { info }: Context): boolean {
  const isAsked = info.retryPolicy?.nonRetryableErrorTypes?.includes(stepFailed) ?? false;
  return isAsked && info.attempt >= attemptsOfStep && !passes(error) && !(error instanceof DomainError);
}

/** File paths of the machine do not belong in a history. */
function withoutStack(failure: ApplicationFailure): ApplicationFailure {
  failure.stack = '';
  return failure;
}

/**
 * PostgreSQL's codes for transient errors: lost connections (08), serialization failures and deadlocks (40), lack of
 * resources (53), locks and time limits (55, 57), a read-only server during a failover (25006), and a plan from before
 * a migration (0A000). https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const ofDatabase = /^(08...|40...|53...|55...|57...|25006|0A000)$/;
const ofNetwork =
  /^(EAI_AGAIN|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Whether the same operation may succeed later without any change. */
function passes(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (ofDatabase.test(code) || ofNetwork.test(code));
}

/** Returns the driver's code, also if its error was wrapped. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, nativeError, cause } = error as { code?: unknown; nativeError?: unknown; cause?: unknown };
  if (isCode(code)) return code;
  return codeOf(nativeError) ?? codeOf(cause);
}
