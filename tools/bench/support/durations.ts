import { median } from '../../../test/support/lib/statistics.js';

/** The median duration of an operation in milliseconds; runs it `count` times, one after the other. */
export async function medianDuration(count: number, operation: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) durations.push(await durationOf(operation));
  return median(durations);
}

export async function durationOf(operation: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await operation();
  return performance.now() - startedAt;
}

/** How many of `count` things an operation does in a second. */
export async function rateOf(count: number, operation: () => Promise<void>): Promise<number> {
  return (count / (await durationOf(operation))) * 1_000;
}

/** Runs an operation `count` times, `atOnce` at the same time. */
export async function concurrently(
  count: number,
  atOnce: number,
  operation: () => Promise<unknown>,
): Promise<void> {
  let left = count;
  const oneAfterTheOther = async () => {
    while (left > 0) {
      left -= 1;
      await operation();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, oneAfterTheOther));
}
