/** So many requests may be on their way to a URL of a workspace at a time, from all workers together. */
export const requestsPerReceiver = 4;

/** So many may be on their way to a host, whichever of its URLs the workspace's rules name. */
export const requestsPerHost = 8;

/**
 * A host that has never answered the workspace with 2xx is sent one request at a time. After one that failed it is left
 * alone for a while, twice as long after each; a test of a rule does not wait.
 */
export const probation = { requests: 1, firstPauseMs: 5_000, longestPauseMs: 5 * 60_000 } as const;

/** So long an attempt keeps others from being made; it takes half of that. Thereafter it counts as lost. */
export const leaseMs = 30_000;

/** So many attempts that get lost in a row count as one failure: an event that ends its worker is not sent without end. */
export const mostLostInARow = 5;

/**
 * Who waits for a receiver comes back as often as there is a turn to be had, for the next five minutes of its queue. At the
 * far end behind that, ten a second do, though it may be in vain: however many wait for a receiver that hangs, asking costs
 * no more, and one that has recovered is rid of its backlog at that rate.
 */
export const queueOfReceiver = {
  nearMs: 5 * 60_000,
  stepMs: { least: 25, far: 100 },
  longestMs: 30 * 60_000,
} as const;
