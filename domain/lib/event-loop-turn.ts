import { setImmediate } from 'node:timers/promises';

/** Resolves when the event loop has served what else is due: long work awaits it between its parts. */
export function eventLoopTurn(): Promise<void> {
  return setImmediate();
}
