import type { BridgeClock } from './ports.js';

/** The clock of a process. */
export const systemClock: BridgeClock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
