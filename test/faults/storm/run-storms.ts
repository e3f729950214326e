import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { replayCommand } from './plan.js';
import { runStorm } from './run-storm.js';

const usage =
  'npm run test:faults -- [--seed <number> | --seed random] [--runs <number>] [--operations <number>]';
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The storms are of one seed and those that follow it, or of seeds by chance. */
function readOptions(): { seeds: number[]; operationCount: number } {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '1' },
      operations: { type: 'string', default: '300' },
    },
  });
  const first = values.seed === 'random' ? undefined : Number(values.seed);
  const runs = Number(values.runs);
  const operationCount = Number(values.operations);
  const isAtLeast = (least: number, value: number) => Number.isSafeInteger(value) && value >= least;
  if (!isAtLeast(1, runs) || !isAtLeast(1, operationCount)) throw new Error(usage);
  if (first !== undefined && !isAtLeast(0, first)) throw new Error(usage);
  const seeds = Array.from({ length: runs }, (_, run) =>
    first === undefined ? randomInt(2 ** 31) : first + run,
  );
  return { seeds, operationCount };
}

async function runStorms(
  { seeds, operationCount }: ReturnType<typeof readOptions>,
  interrupted: AbortSignal,
): Promise<void> {
  const failed: number[] = [];
  for (const [index, seed] of seeds.entries()) {
    const isRight = await runStorm(seed, operationCount, interrupted);
    if (interrupted.aborted) {
      process.stdout.write(`interrupted in storm ${index + 1} of ${seeds.length}\n`);
      return;
    }
    if (!isRight) failed.push(seed);
  }
  process.stdout.write(`${seeds.length - failed.length} of ${seeds.length} storms left everything right\n`);
  for (const seed of failed) process.stdout.write(`replay with: ${replayCommand(seed, operationCount)}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

const interruption = new AbortController();
for (const [signal, exitCode] of Object.entries(signals)) {
  process.on(signal, () => {
    process.exitCode = exitCode;
    interruption.abort();
  });
}

try {
  await runStorms(readOptions(), interruption.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
