import { setTimeout as pause } from 'node:timers/promises';
import { type MemoryProbe, residentMegabytes } from '../../dev/memory/memory-probe.js';
import type { StageProcess } from '../stage/processes.js';

/** Observes again and again until the work is over, at least once. */
export async function during(work: Promise<void>, observe: () => Promise<number>): Promise<number[]> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  const observed: number[] = [];
  do observed.push(await observe());
  while (!isOver);
  await ended;
  return observed;
}

/** The peak growth of a process's resident memory by some work, after some that warms up: it compiles the code and opens connections. */
export async function peakGrowth(
  { pid }: Pick<StageProcess, 'pid'>,
  probe: MemoryProbe,
  { warmUp, work, everyMs }: { warmUp: () => Promise<unknown>; work: () => Promise<void>; everyMs: number },
): Promise<number> {
  await warmUp();
  await probe.read();
  const before = residentMegabytes(pid);
  const seen = await during(work(), async () => {
    await pause(everyMs);
    return residentMegabytes(pid);
  });
  return Math.max(before, ...seen) - before;
}
