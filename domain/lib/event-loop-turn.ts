import { setImmediate } from 'node:timers/promises';

/** Resolves after the event loop has served other pending work. Long-running work awaits it between its parts. */
export function eventLoopTurn(): Promise<void> {
  return setImmediate();
}
