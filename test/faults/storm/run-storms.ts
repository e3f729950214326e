import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { replayCommand } from './plan.js';
import { runStorm } from './run-storm.js';

const usage = 'npm run test:faults -- [--seed <number> | --seed random] [--runs <number>]';
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Storms one after the other: of one seed and those that follow it, or of seeds by chance. */
function seedsToRun(): number[] {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1' } },
  });
  const first = values.seed === 'random' ? undefined : Number(values.seed);
  const runs = Number(values.runs);
  const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 0;
  if (!isNumber(runs) || runs === 0 || (first !== undefined && !isNumber(first))) throw new Error(usage);
  return Array.from({ length: runs }, (_, run) => (first === undefined ? randomInt(2 ** 31) : first + run));
}

async function runStorms(seeds: readonly number[], interrupted: AbortSignal): Promise<void> {
  const failed: number[] = [];
  for (const [index, seed] of seeds.entries()) {
    const isRight = await runStorm(seed, interrupted);
    if (interrupted.aborted) {
      process.stdout.write(`interrupted in storm ${index + 1} of ${seeds.length}\n`);
      return;
    }
    if (!isRight) failed.push(seed);
  }
  process.stdout.write(`${seeds.length - failed.length} of ${seeds.length} storms left everything right\n`);
  for (const seed of failed) process.stdout.write(`replay with: ${replayCommand(seed)}\n`);
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
  await runStorms(seedsToRun(), interruption.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
