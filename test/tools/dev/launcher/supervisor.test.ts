import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../../runtime/wait-until.js';
import { Supervisor } from '../../../../tools/dev/launcher/supervisor.js';
import { type ManagedProcess, ProcessTable } from '../../../../tools/dev/provision/processes.js';
import { patienceMs } from '../../../support/lib/patience.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let folder: string;
let processes: ProcessTable;
let supervisor: Supervisor;
let told: string[];
let started: ManagedProcess[];

beforeEach(() => {
  folder = temporaryFolder();
  processes = new ProcessTable();
  told = [];
  started = [];
  supervisor = new Supervisor((sentence) => told.push(sentence));
});
afterEach(async () => {
  supervisor.close();
  await processes.killAll();
});

const idle = {
  name: 'idle',
  start: async () => {
    const running = await processes.start({
      name: 'idle',
      command: process.execPath,
      args: ['--eval', 'setInterval(() => {}, 1000)'],
      logFile: join(folder, 'idle.log'),
    });
    started.push(running);
    return running;
  },
};

test('reports a service that exits by itself, and restarts it', async () => {
  await supervisor.run(idle);

  process.kill(Number(started[0]?.pid), 'SIGKILL');

  expect(await waitUntil(() => told.length === 2, { withinMs: patienceMs })).toBe(true);
  expect(told).toEqual([
    `idle ended unexpectedly (SIGKILL). It will be restarted. Log: ${join(folder, 'idle.log')}`,
    'idle is running again.',
  ]);
  expect(started[1]?.running).toBe(true);
});

test('does not restart or report a service that was stopped', async () => {
  await supervisor.run(idle);
  await processes.stopAll();
  expect(told).toEqual([]);
  expect(started).toHaveLength(1);
});

test('does not keep a service whose first start fails', async () => {
  const broken = { name: 'broken', start: () => Promise.reject(new Error('it does not start')) };
  await expect(supervisor.run(broken)).rejects.toThrow('it does not start');
  expect(told).toEqual([]);
});
