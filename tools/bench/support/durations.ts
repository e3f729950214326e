import { median } from '../../../test/support/lib/statistics.js';

/** How long an operation takes in the middle, one after the other, in milliseconds. */
export async function medianDuration(count: number, operation: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const startedAt = performance.now();
    await operation();
    durations.push(performance.now() - startedAt);
  }
  return median(durations);
}
