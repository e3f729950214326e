import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installPythonTools } from '../../test/interop/support/python-tools.js';

const run = promisify(execFile);

/** Packs both clients into this folder, in place of what was there: a package of npm, and a wheel. */
export async function packClients(folder: string): Promise<void> {
  const target = resolve(folder);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const pip = join(await installPythonTools(), 'pip');
  await Promise.all([
    run('npm', ['pack', '--pack-destination', target], { cwd: 'clients/typescript' }),
    run(pip, [
      'wheel',
      '--quiet',
      '--no-deps',
      '--no-build-isolation',
      '--wheel-dir',
      target,
      './clients/python',
    ]),
  ]);
}
