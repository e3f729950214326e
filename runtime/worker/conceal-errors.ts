import { randomUUID } from 'node:crypto';
import { CompleteAsyncError, type Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { DomainError, Unavailable } from '../../domain/errors.js';
import { safeCode, safeStack } from '../error-codes.js';
import type { Logger } from '../logger.js';

/**
 * Replaces every error of an activity by a code and a request id before it reaches a history. The process's own
 * log has the same id, with where it came from.
 */
export function concealErrors(logger: Logger): (context: Context) => ActivityInterceptors {
  return (context) => ({
    inbound: {
      async execute(
        input: ActivityExecuteInput,
        next: (input: ActivityExecuteInput) => Promise<unknown>,
      ): Promise<unknown> {
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
  // Ours, with a message of our own; cancellation and completion elsewhere are no errors.
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
      type: code,
      nonRetryable: error instanceof DomainError && !(error instanceof Unavailable),
    }),
  );
}

/** Paths of a machine are nobody's business in a history. */
function withoutStack(failure: ApplicationFailure): ApplicationFailure {
  failure.stack = '';
  return failure;
}
