import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.js';

const everyMs = 20;

/** Returns what `look` finds; an error thrown by it counts as "not yet". `what` says what was waited for in vain. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  withinMs = patienceMs,
): Promise<T> {
  const until = Date.now() + withinMs;
  let failure: unknown;
  for (;;) {
    try {
      const found = await look();
      if (found !== undefined && found !== null && found !== false) return found;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > until) throw new Error(`waited in vain until ${what}`, { cause: failure });
    await delay(everyMs);
  }
}
