/** The source of time for all logic. SQL `now()` is never used, so that tests can control the time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
