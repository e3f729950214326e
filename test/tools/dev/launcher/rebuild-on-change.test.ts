import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { rebuildOnChange } from '../../../../tools/dev/launcher/rebuild-on-change.js';
import { Supervisor } from '../../../../tools/dev/launcher/supervisor.js';
import { ProcessTable } from '../../../../tools/dev/provision/processes.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';
import { waitFor } from '../../../support/lib/wait-for.js';

const compiler = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url));
const configuration = {
  compilerOptions: { noEmitOnError: true, lib: ['es2023', 'dom'], types: [], outDir: 'dist', rootDir: '.' },
  files: ['program.ts'],
};

test('restarts a program when its source has changed and compiles, and keeps the running one until then', async () => {
  const folder = temporaryFolder();
  const logFile = join(folder, 'program.log');
  const processes = new ProcessTable();
  const told: string[] = [];
  const supervisor = new Supervisor((sentence) => told.push(sentence));
  const write = (version: string) =>
    writeFileSync(
      join(folder, 'program.ts'),
      `const version: number = ${version}; console.log('version', version); setInterval(() => {}, 1000);`,
    );
  const program = {
    name: 'program',
    start: () =>
      processes.start({
        name: 'program',
        command: process.execPath,
        args: [join(folder, 'dist/program.js')],
        logFile,
      }),
  };
  const restart = async () => {
    supervisor.release('program');
    await processes.stop('program');
    await supervisor.run(program);
  };
  const says = (version: string) =>
    waitFor(
      `version ${version} runs`,
      () => readFileSync(logFile, 'utf8').endsWith(`version ${version}\n`),
      60_000,
    );
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const close = rebuildOnChange({
    folders: [folder],
    build: { command: compiler, args: ['-p', folder], cwd: folder },
    restart,
    print: (sentence) => told.push(sentence),
  });
  onTestFinished(async () => {
    close();
    supervisor.close();
    await processes.killAll();
  });

  write('1');
  await says('1');
  write(`'two'`);
  await waitFor('the error is told', () => told.length > 0, 60_000);
  expect(told).toEqual([expect.stringContaining(`'string' is not assignable to type 'number'`)]);
  expect(readFileSync(logFile, 'utf8')).toBe('version 1\n');
  write('3');
  await says('3');

  expect(readFileSync(logFile, 'utf8')).toBe('version 1\nversion 3\n');
  expect(told).toHaveLength(1);
}, 180_000);
