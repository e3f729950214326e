import { median } from '../../../test/support/lib/statistics.js';

/** The median duration of an operation in milliseconds; runs it `count` times, one after the other. */
export async function medianDuration(count: number, operation: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const startedAt = performance.now();
    await operation();
    durations.push(performance.now() - startedAt);
  }
  return median(durations);
}
