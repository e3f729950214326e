import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  claimDataFolder,
  emptyDataFolder,
  markStopping,
  releaseDataFolder,
} from '../../../../tools/dev/launcher/data-folder.js';
import { runningPid, writePidFile } from '../../../../tools/dev/provision/pid-file.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let folder: string;
let launcherFile: string;

beforeEach(() => {
  folder = temporaryFolder();
  launcherFile = join(folder, 'launcher.pid');
});

/** A process that looks like another launcher by its pid file. */
async function otherLauncher(): Promise<() => void> {
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => {
    other.kill('SIGKILL');
  });
  await new Promise((resolve) => other.once('spawn', resolve));
  writePidFile(launcherFile, Number(other.pid));
  return () => other.kill('SIGKILL');
}

test('rejects a data folder that another launcher uses, naming its process', async () => {
  await otherLauncher();
  await expect(claimDataFolder(folder)).rejects.toThrow(
    `The system is already running, started by process ${runningPid(launcherFile)}. Use it, or stop that process first.`,
  );
});

test('waits for a launcher that is stopping', async () => {
  const end = await otherLauncher();
  markStopping(folder);
  const claimed = claimDataFolder(folder);
  end();
  await claimed;
  expect(runningPid(launcherFile)).toBe(process.pid);
});

test('ignores the pid file of a killed launcher', async () => {
  writeFileSync(launcherFile, JSON.stringify({ pid: process.pid, commandLine: 'a launcher of yesterday' }));
  await claimDataFolder(folder);
  expect(runningPid(launcherFile)).toBe(process.pid);
  releaseDataFolder(folder);
  expect(existsSync(launcherFile)).toBe(false);
});

test('ends the processes that a killed launcher left, whatever their names are', async () => {
  const left = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const ended = once(left, 'exit');
  await once(left, 'spawn');
  writePidFile(join(folder, 'a-service-of-yesterday.pid'), Number(left.pid));

  await claimDataFolder(folder);

  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('removes the data on emptying and keeps the claim', async () => {
  await claimDataFolder(folder);
  writeFileSync(join(folder, 'dev.json'), '{}');
  emptyDataFolder(folder);
  expect(existsSync(join(folder, 'dev.json'))).toBe(false);
  expect(runningPid(launcherFile)).toBe(process.pid);
});
