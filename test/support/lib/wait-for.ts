import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 20;

/**
 * Waits until `look` finds something, and returns it. `what` says what was waited for when it does not come; an
 * error thrown by `look` counts as "not yet".
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  withinMs = 20_000,
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
