import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandLineOf } from '../../../tools/dev/provision/pid-file.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { build } from '../../support/run/backend-client.js';
import { endsWithTestProcess } from '../../support/run/ends-with-test-process.js';
import { runFolderPrefix } from '../../support/run/leftovers.js';
import { compiledAlready } from '../../support/run/run-environment.js';

const program = fileURLToPath(new URL('run-storms.ts', import.meta.url));

interface Storms {
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
  processes(): Map<number, string>;
  runFolders(): string[];
  said(): string;
}

/** Starts the storms in a process of their own with an own temporary folder, and waits until the first storm runs. */
async function startStorms(): Promise<Storms> {
  await build();
  const folder = temporaryFolder();
  const child = endsWithTestProcess(
    spawn(process.execPath, ['--import', 'tsx', program, '--seed', '1', '--runs', '2'], {
      // With Vitest’s own variables, the inner run would take itself for a worker of this one.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, [compiledAlready]: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data;
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  await waitFor('the storm rages', () => said.includes('storm with seed 1'), 180_000);
  return {
    ended,
    kill: (signal) => child.kill(signal),
    processes: () => descendantsOf(Number(child.pid)),
    runFolders: () => readdirSync(folder).filter((name) => name.startsWith(runFolderPrefix)),
    said: () => said,
  };
}

function descendantsOf(root: number): Map<number, string> {
  const table = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Map<number, string>();
  const waiting = [root];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const [pid = 0, ppid] of parents) {
      const commandLine = ppid === parent ? commandLineOf(pid) : undefined;
      if (commandLine === undefined) continue;
      found.set(pid, commandLine);
      waiting.push(pid);
    }
  }
  return found;
}

async function allEnded(processes: Map<number, string>): Promise<void> {
  const left = () => [...processes].filter(([pid, line]) => commandLineOf(pid) === line);
  await waitFor('all have ended', () => left().length === 0).catch(() => expect(left()).toEqual([]));
}

const programs = ['vitest', 'dist/api/main.js', 'dist/runtime/main.js', 'temporal server', 'postgres -D'];

describe('the storm command', { timeout: 300_000 }, () => {
  it('leaves nothing behind when it is interrupted, and starts no further storm', async () => {
    const storms = await startStorms();
    const processes = storms.processes();
    for (const name of programs) expect([...processes.values()].join('\n')).toContain(name);

    storms.kill('SIGINT');

    expect(await storms.ended).toBe(130);
    await allEnded(processes);
    expect(storms.runFolders()).toEqual([]);
    expect(storms.said()).toContain('interrupted in storm 1 of 2');
  });

  it('ends its processes and removes its files when it is killed', async () => {
    const storms = await startStorms();
    const processes = storms.processes();

    storms.kill('SIGKILL');

    expect(await storms.ended).toBe('SIGKILL');
    await allEnded(processes);
    await waitFor('its files are removed', () => storms.runFolders().length === 0);
  });

  it('ends the leftover processes of a killed run', async () => {
    const storms = await startStorms();
    const processes = storms.processes();
    const [run] = [...processes].find(([, line]) => line.includes('vitest.mjs run')) ?? [];

    process.kill(Number(run), 'SIGKILL');
    storms.kill('SIGTERM');

    expect(await storms.ended).toBe(143);
    await allEnded(processes);
    expect(storms.runFolders()).toEqual([]);
  });
});
