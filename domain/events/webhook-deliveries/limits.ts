/** Maximum number of concurrent requests to a URL of a workspace, over all workers. */
export const requestsPerReceiver = 4;

/** Maximum number of concurrent requests to a host, over all URLs of the workspace's rules. */
export const requestsPerHost = 8;

/**
 * A host that has never answered the workspace with 2xx gets one request at a time. After a failure it pauses, with
 * exponential backoff; a test of a rule ignores the pause.
 */
export const probation = { requests: 1, firstPauseMs: 5_000, longestPauseMs: 5 * 60_000 } as const;

/** How long an attempt excludes others; then it counts as lost. The attempt itself takes at most half of that. */
export const leaseMs = 30_000;

/** Lost attempts in a row that count as one failure, so that an event that crashes its worker is given up. */
export const mostLostInARow = 5;

/**
 * The pacing of deliveries that wait for a receiver. Within the next five minutes of its queue, places are as far apart
 * as its mean duration allows; beyond that, ten deliveries a second return, possibly in vain. So the cost of a hanging
 * receiver is bounded, and a recovered one gets its backlog at that rate.
 */
export const queueOfReceiver = {
  nearMs: 5 * 60_000,
  stepMs: { least: 25, far: 100 },
  longestMs: 30 * 60_000,
} as const;
