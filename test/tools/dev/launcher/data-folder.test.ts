import { spawn } from 'node:child_process';
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
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let launcherFile: string;

beforeEach(() => {
  folder = temporaryFolder();
  launcherFile = join(folder, 'launcher.pid');
});

/** Another launcher, as far as its file tells. */
async function otherLauncher(): Promise<() => void> {
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => {
    other.kill('SIGKILL');
  });
  await new Promise((resolve) => other.once('spawn', resolve));
  writePidFile(launcherFile, Number(other.pid));
  return () => other.kill('SIGKILL');
}

test('a folder that another launcher works on is refused, naming its process', async () => {
  await otherLauncher();

  await expect(claimDataFolder(folder)).rejects.toThrow(
    `The system is running already, started by process ${runningPid(launcherFile)}: use it, or end that process first.`,
  );
});

test('a launcher that is stopping is waited for', async () => {
  const end = await otherLauncher();
  markStopping(folder);
  const claimed = claimDataFolder(folder);

  end();
  await claimed;

  expect(runningPid(launcherFile)).toBe(process.pid);
});

test('the file of a launcher that was killed stands in nobody’s way', async () => {
  writeFileSync(launcherFile, JSON.stringify({ pid: process.pid, commandLine: 'a launcher of yesterday' }));

  await claimDataFolder(folder);

  expect(runningPid(launcherFile)).toBe(process.pid);
  releaseDataFolder(folder);
  expect(existsSync(launcherFile)).toBe(false);
});

test('emptying removes the data and keeps the claim', async () => {
  await claimDataFolder(folder);
  writeFileSync(join(folder, 'dev.json'), '{}');

  emptyDataFolder(folder);

  expect(existsSync(join(folder, 'dev.json'))).toBe(false);
  expect(runningPid(launcherFile)).toBe(process.pid);
});
