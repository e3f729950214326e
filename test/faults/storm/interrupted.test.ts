import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandLineOf } from '../../../tools/dev/provision/process-identity.js';
import { build } from '../../support/backend-client.js';
import { endsWithTestProcess } from '../../support/ends-with-test-process.js';
import { runFolderPrefix } from '../../support/leftovers.js';
import { compiledAlready } from '../../support/run-environment.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitFor } from '../../support/wait-for.js';

const withinMs = 300_000;
const program = fileURLToPath(new URL('run-storms.ts', import.meta.url));

interface Storms {
  /** Resolves with the exit code, or with what killed it. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
  /** Processes of the storm, by their ids. */
  processes(): Map<number, string>;
  runFolders(): string[];
  said(): string;
}

/** The command in a process of its own, with a folder of its own for temporary files, once the first storm rages. */
async function startStorms(): Promise<Storms> {
  await build();
  const folder = temporaryFolder();
  const child = endsWithTestProcess(
    spawn(process.execPath, ['--import', 'tsx', program, '--seed', '1', '--runs', '2'], {
      // Vitest's own variables would make the run inside believe that it is a process of this one.
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

/** What it has started, and what that has started, by process id: the command lines. */
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

/** Names of what a storm consists of, as far as they are programs of their own. */
const programs = [
  /vitest/,
  /dist\/api\/main\.js/,
  /dist\/runtime\/main\.js/,
  /temporal server/,
  /postgres -D/,
];

describe('storms', () => {
  it(
    'leave nothing behind when they are interrupted, and start no further one',
    async () => {
      const storms = await startStorms();
      const processes = storms.processes();
      for (const name of programs) expect([...processes.values()].join('\n')).toMatch(name);

      storms.kill('SIGINT');

      expect(await storms.ended).toBe(130);
      await allEnded(processes);
      expect(storms.runFolders()).toEqual([]);
      expect(storms.said()).toContain('interrupted in storm 1 of 2');
    },
    withinMs,
  );

  it(
    'end with the command that is killed',
    async () => {
      const storms = await startStorms();
      const processes = storms.processes();

      storms.kill('SIGKILL');

      expect(await storms.ended).toBe('SIGKILL');
      await allEnded(processes);
      await waitFor('its files are removed', () => storms.runFolders().length === 0);
    },
    withinMs,
  );

  it(
    'end what a run has left behind that was killed',
    async () => {
      const storms = await startStorms();
      const processes = storms.processes();
      const [run] = [...processes].find(([, line]) => line.includes('vitest.mjs run')) ?? [];

      process.kill(Number(run), 'SIGKILL');
      storms.kill('SIGTERM');

      expect(await storms.ended).toBe(143);
      await allEnded(processes);
      expect(storms.runFolders()).toEqual([]);
    },
    withinMs,
  );
});
