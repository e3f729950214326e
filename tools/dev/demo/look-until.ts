import { setTimeout as delay } from 'node:timers/promises';

/** Looks again and again. @returns what it finds; undefined if it finds nothing in time */
export async function checkUntil<Found>(
  withinMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || Date.now() > giveUpAt) return found;
    await delay(250);
  }
}
