import { setTimeout as pause } from 'node:timers/promises';

/** Polls until `condition` holds. An error in `condition` counts as "not yet". @returns false if the time is over */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: { withinMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const holds = await Promise.resolve()
      .then(condition)
      .catch(() => false);
    if (holds) return true;
    if (Date.now() >= deadline) return false;
    await pause(everyMs);
  }
}
