/** The source of time for all logic of the domain, so that tests can control the time; its SQL never uses `now()`. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
