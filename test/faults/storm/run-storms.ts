import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replayCommand } from './plan.js';

const usage = 'npm run test:faults -- [--seed <number> | --seed random] [--runs <number>]';
const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

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

function runStorm(seed: number): boolean {
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/faults/storm/storm.test.ts'], {
    cwd: projectFolder,
    env: { ...process.env, FAULT_SEED: String(seed) },
    stdio: 'inherit',
  });
  return status === 0;
}

try {
  const seeds = seedsToRun();
  const failed = seeds.filter((seed) => !runStorm(seed));
  process.stdout.write(`${seeds.length - failed.length} of ${seeds.length} storms left everything right\n`);
  for (const seed of failed) process.stdout.write(`replay with: ${replayCommand(seed)}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
