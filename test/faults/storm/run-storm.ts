import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { clearLeftovers } from '../../support/run/leftovers.js';
import { endsWithStarter } from '../../support/run/run-environment.js';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
/** A storm that is interrupted has this long to end what it started. */
const graceMs = 15_000;

/**
 * Runs one storm as a test run of its own, which ends where this process dies, and ends what it left behind.
 *
 * @param interrupted ends the storm
 * @returns whether it left everything right
 */
export async function runStorm(
  seed: number,
  operationCount: number,
  interrupted: AbortSignal,
): Promise<boolean> {
  const run = spawn(process.execPath, [vitest, 'run', 'test/faults/storm/storm.test.ts'], {
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
  });
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
