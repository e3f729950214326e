/**
 * Retries of the activities behind schedules. If the database or a server is unavailable for minutes, the run keeps
 * retrying and the schedule skips its next runs, because a failed run would need an operator.
 */
export const untilThePassIsOver = {
  scheduleToCloseTimeout: '15m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
