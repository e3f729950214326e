/**
 * How a pass of a net is tried again. A database or a server that is away for minutes fails no run: the schedule begins
 * no further pass meanwhile, and a run that fails is one that an operator has to look at.
 */
export const untilThePassIsOver = {
  scheduleToCloseTimeout: '15m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
