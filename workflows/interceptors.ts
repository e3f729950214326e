import { CancellationScope, log, type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { isRunType, runs } from './contracts/runs.js';

/** The type of a command that the SDK gives to the interceptor. */
type Command = Parameters<
  NonNullable<NonNullable<WorkflowInterceptors['internals']>[number]['concludeActivation']>
>[0]['commands'][number];

/**
 * Keeps Cancel in Temporal from runs that go on all the same. Ends a run that throws `CancelledFailure` as cancelled, as the SDKs for other languages do. That for TypeScript does so
 * only if the cancellation was requested in Temporal, and else fails the run
 * (docs/decisions/0098-a-cancelled-assignment-ends-its-run-as-cancelled.md).
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        execute(input, next) {
          const { workflowType } = workflowInfo();
          const goesOn = isRunType(workflowType) && runs[workflowType].onCancel === 'goes_on';
          return goesOn ? unheeded(() => next(input)) : next(input);
        },
      },
    ],
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

function unheeded<Result>(work: () => Promise<Result>): Promise<Result> {
  CancellationScope.current().cancelRequested.catch(() => log.warn('Cancel is not heeded: the run goes on'));
  return CancellationScope.nonCancellable(work);
}

function endedAsCancelled(command: Command): Command {
  const isStatementCancelled = command.failWorkflowExecution?.failure?.canceledFailureInfo;
  return isStatementCancelled ? { cancelWorkflowExecution: {} } : command;
}
