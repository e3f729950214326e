import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';

/** Metrics of the reconciler: a count for each outcome that its result names. */
export interface RepairMetrics {
  reconciled(outcome: string, count: number): void;
}

/** Counts, from the reconciler's results, what it found and repaired. */
export function countRepairs(metrics: RepairMetrics): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      async execute(
        input: ActivityExecuteInput,
        next: (input: ActivityExecuteInput) => Promise<unknown>,
      ): Promise<unknown> {
        const result = await next(input);
        if (info.activityType.startsWith('reconcile') && typeof result === 'object' && result !== null) {
          for (const [outcome, count] of Object.entries(result)) {
            if (typeof count === 'number' && count > 0) metrics.reconciled(outcome, count);
          }
        }
        return result;
      },
    },
  });
}
