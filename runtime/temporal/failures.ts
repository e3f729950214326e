import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';

/**
 * gRPC status codes: the server, or the way to it, is away or busy; or it does not accept our credential (7, 16), which is
 * about none of the requests in particular.
 */
const passing = new Set([1, 4, 7, 8, 14, 16]);

/** Whether the same request may succeed later, because Temporal could not be reached, had no room or did not let us in. */
export function mayPass(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return passing.has(cause.code);
  return !(cause instanceof Error) || /deadline|connect|unavailable/i.test(cause.message);
}

/** The run of this id has closed, and its id is not to be used again: a result, not an error. */
export function isClosed(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
}

/** A code for logs and rows: never a message. */
export function failureCode(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return `grpc_${cause.code}`;
  return error instanceof Error ? error.name : 'unknown';
}
