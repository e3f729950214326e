/** So many requests may be on their way to a receiver at a time, from all workers together. */
export const requestsPerReceiver = 4;

/** So long an attempt keeps others from being made; it takes half of that. Thereafter it counts as lost. */
export const leaseMs = 30_000;

/** Nobody is put off for longer, so that a receiver that has recovered is soon noticed. */
export const longestDeferralMs = 55_000;
