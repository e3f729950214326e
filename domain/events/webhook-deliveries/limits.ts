/** Maximum number of concurrent requests to a URL of a workspace, over all workers. */
export const requestsPerReceiver = 4;

/** Maximum number of concurrent requests to a host, over all URLs of the workspace's rules. */
export const requestsPerHost = 8;

/** For a host that has never answered the workspace with 2xx. It pauses after failures, except for tests of rules. */
export const probation = { requests: 1, firstPauseMs: 5_000, maxPauseMs: 5 * 60_000 } as const;

/** How long an attempt excludes others; then it counts as lost. The attempt itself takes at most half of that. */
export const leaseMs = 30_000;

/** Lost attempts in a row that count as one failure, so that an event that crashes its worker is given up. */
export const maxLostInARow = 5;

/**
 * The pacing of deliveries that wait for a receiver. Within `nearMs`, places are as far apart as its mean duration
 * allows; beyond that, ten deliveries a second return: a bounded cost while it hangs, and its rate once it recovers.
 */
export const queueOfReceiver = {
  nearMs: 5 * 60_000,
  stepMs: { min: 25, far: 100 },
  maxMs: 30 * 60_000,
} as const;
