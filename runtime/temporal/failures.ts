import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';

/**
 * gRPC status codes of failures that are not about the request: unavailable, busy, or a rejected credential (7, 16).
 */
const passing = new Set([1, 4, 7, 8, 14, 16]);

/** Whether the same request may succeed later: Temporal was not reached, was overloaded or rejected the credential. */
export function mayPass(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return passing.has(cause.code);
  return !(cause instanceof Error) || /deadline|connect|unavailable/i.test(cause.message);
}

/** Whether the run has closed and its id cannot be reused. This is a result, not an error. */
export function isClosed(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
}

/** Returns a code for logs and rows, never a message. */
export function failureCode(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return `grpc_${cause.code}`;
  return error instanceof Error ? error.name : 'unknown';
}
