import { setTimeout as delay } from 'node:timers/promises';

/** Returns a function that resolves so many times a second, and at once for what a second of rest has saved up. */
export function paced(perSecond: number): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(nextAt, now - 1_000) + 1_000 / perSecond;
    if (nextAt > now) await delay(nextAt - now);
  };
}
