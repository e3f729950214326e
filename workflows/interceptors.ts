import type { WorkflowInterceptors } from '@temporalio/workflow';

/** The type of a command that the SDK gives to the interceptor. */
type Command = Parameters<
  NonNullable<NonNullable<WorkflowInterceptors['internals']>[number]['concludeActivation']>
>[0]['commands'][number];

/**
 * Ends a run that throws `CancelledFailure` as cancelled, as the SDKs for other languages do. That for TypeScript does so
 * only if the cancellation was requested in Temporal, and else fails the run
 * (docs/decisions/0098-a-cancelled-assignment-ends-its-run-as-cancelled.md).
 */
export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        concludeActivation(input, next) {
          const { commands } = next(input);
          return { commands: commands.map(endedAsCancelled) };
        },
      },
    ],
  };
}

function endedAsCancelled(command: Command): Command {
  const isCancelled = command.failWorkflowExecution?.failure?.canceledFailureInfo;
  return isCancelled ? { cancelWorkflowExecution: {} } : command;
}
