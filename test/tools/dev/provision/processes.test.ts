import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../../runtime/wait-until.js';
import {
  endLeftover,
  isRunning,
  runningPid,
  writePidFile,
} from '../../../../tools/dev/provision/pid-file.js';
import { type ProcessOptions, ProcessTable } from '../../../../tools/dev/provision/processes.js';
import { patienceMs } from '../../../support/lib/patience.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let folder: string;
let processes: ProcessTable;

beforeEach(() => {
  folder = temporaryFolder();
  processes = new ProcessTable();
});

/** A process that prints `ready` and runs until it is ended. */
function idle(name: string, onTerm = ''): ProcessOptions {
  const script = `${onTerm}; setInterval(() => {}, 1000); console.log('ready')`;
  return {
    name,
    command: process.execPath,
    args: ['--eval', script],
    logFile: join(folder, `${name}.log`),
    pidFile: join(folder, `${name}.pid`),
  };
}

const ready = (name: string) =>
  waitUntil(() => readFileSync(join(folder, `${name}.log`), 'utf8').includes('ready'), {
    withinMs: patienceMs,
  });

test('stops a process and removes its pid file', async () => {
  const running = await processes.start(idle('one'));
  expect(runningPid(join(folder, 'one.pid'))).toBe(running.pid);
  await running.stop();
  expect(isRunning(running.pid)).toBe(false);
  expect(existsSync(join(folder, 'one.pid'))).toBe(false);
});

test('makes the files of a process readable by its owner only', async () => {
  const file = join(folder, 'written');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); console.log('ready')`;
  const usual = process.umask();

  const running = await processes.start({ ...idle('writer'), args: ['--eval', script] });
  await running.ended;

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(process.umask()).toBe(usual);
});

test('kills a process that ignores SIGTERM', async () => {
  const running = await processes.start(idle('stubborn', `process.on('SIGTERM', () => {})`));
  await ready('stubborn');
  await running.stop(100);
  expect(await running.ended).toEqual({ code: null, signal: 'SIGKILL' });
});

test('stops all processes in the requested order', async () => {
  const ended: string[] = [];
  for (const name of ['database', 'worker', 'api']) {
    const running = await processes.start(idle(name));
    void running.ended.then(() => ended.push(name));
  }

  await processes.stopAll(['api', 'worker', 'database']);

  expect(ended).toEqual(['api', 'worker', 'database']);
  await expect(processes.start(idle('late'))).rejects.toThrow(
    'late was not started: the system is stopping.',
  );
});

test('ends the leftover processes of a killed launcher', async () => {
  const left = await processes.start(idle('left'));
  expect(await endLeftover(join(folder, 'left.pid'))).toBe(true);
  expect(isRunning(left.pid)).toBe(false);
});

test('does not end a process that has reused a recorded id', async () => {
  const other = await processes.start(idle('other'));
  const file = join(folder, 'ours.pid');
  writeFileSync(file, JSON.stringify({ pid: other.pid, commandLine: 'what ours was called' }));
  expect(await endLeftover(file)).toBe(false);
  expect(isRunning(other.pid)).toBe(true);
  await other.kill();
});

test('recognises its own pid file', () => {
  writePidFile(join(folder, 'self.pid'), process.pid);
  expect(runningPid(join(folder, 'self.pid'))).toBe(process.pid);
});

test('names a program that does not exist', async () => {
  const missing = { ...idle('missing'), command: join(folder, 'nothing-here') };
  await expect(processes.start(missing)).rejects.toThrow(/^missing could not be started: /);
});
