/** Where logic gets the time from: never from SQL `now()`, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
