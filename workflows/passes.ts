/**
 * Retries of the activities behind schedules. A database or server that is away for minutes fails no run: the schedule skips
 * its next runs meanwhile, and a run that failed needs an operator.
 */
export const untilThePassIsOver = {
  scheduleToCloseTimeout: '15m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
