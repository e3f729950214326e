import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitFor } from '../../support/lib/wait-for.js';
import { endsWithTestProcess } from '../../support/run/ends-with-test-process.js';

export type RunningReceiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Runs a receiver of the documentation as a program of its own. It lists the ids of the events it keeps, in order.
 * @param way `hand` or `library`
 */
export async function startReceiver(
  [program, ...args]: readonly [string, ...string[]],
  way: string,
  secret: string,
) {
  const settings = { WEBHOOK_SECRET: secret, WEBHOOK_VERIFY: way };
  const child = endsWithTestProcess(
    spawn(program, args, {
      env: { ...process.env, ...settings, PORT: '0', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const ended = once(child, 'exit');
  const kept: string[] = [];
  let port: number | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = JSON.parse(line) as { listening?: { port: number }; id?: string };
    port ??= told.listening?.port;
    if (told.id !== undefined) kept.push(told.id);
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    await waitFor(`${program} listens`, () => port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}/hooks`, kept, stop };
}
