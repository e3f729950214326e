import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';

/** After how many events these runs continue as new. */
export const fewEvents = 100;

/**
 * Bundled with the runs: they continue as new where a server would suggest it that thinks few events a long history.
 * The time-skipping server suggests it at 4,096 events, which cannot be set.
 */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        const info = workflowInfo();
        if (info.historyLength >= fewEvents) Object.assign(info, { continueAsNewSuggested: true });
        next(input);
      },
    },
  ],
});
