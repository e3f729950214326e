import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { clearLeftovers } from '../../support/run/leftovers.js';
import { endsWithStarter } from '../../support/run/run-environment.js';
import { replayCommand } from './plan.js';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
/** A storm that is interrupted has this long to end what it started. */
const graceMs = 15_000;

/**
 * Runs one storm as a test run of its own, which ends where this process dies, and ends what it left behind.
 * @param interrupted ends the storm
 * @returns whether it left everything right
 */
async function runStorm(seed: number, operationCount: number, interrupted: AbortSignal): Promise<boolean> {
  const run = spawn(
    process.execPath,
    [vitest, 'run', '--config', 'vitest.faults.config.ts', 'test/faults/storm/storm.test.ts'],
    {
      cwd: projectFolder,
      env: {
        ...process.env,
        FAULT_SEED: String(seed),
        FAULT_OPERATIONS: String(operationCount),
        [endsWithStarter]: '1',
      },
      stdio: ['pipe', 'inherit', 'inherit'],
      // Ctrl-C reaches this process alone, which ends the storm.
      detached: true,
    },
  );
  // It may be gone before we end its input.
  run.stdin.on('error', () => undefined);
  let insisting: NodeJS.Timeout | undefined;
  const end = () => {
    run.stdin.end();
    insisting = setTimeout(() => run.kill('SIGKILL'), graceMs);
  };
  if (interrupted.aborted) end();
  interrupted.addEventListener('abort', end, { once: true });
  const [status] = await once(run, 'exit');
  clearTimeout(insisting);
  interrupted.removeEventListener('abort', end);
  await clearLeftovers();
  return status === 0;
}

const usage = 'npm run storm -- [--seed <number> | --seed random] [--runs <number>] [--operations <number>]';
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
  const isAtLeast = (min: number, value: number) => Number.isSafeInteger(value) && value >= min;
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
