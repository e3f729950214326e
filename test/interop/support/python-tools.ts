import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const requirements = resolve('test/interop/requirements.txt');
/** A virtual environment of its own, so that nothing of the machine's Python is changed. */
const environment = resolve('.cache/python');
const mark = join(environment, 'requirements.sha256');

/** Installs the tools of `requirements.txt`, unless they are there already. @returns the folder of their programs */
export async function installPythonTools(): Promise<string> {
  const programs = join(environment, 'bin');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return programs;
  rmSync(environment, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', environment]).catch((cause: Error) => {
    throw new Error(
      'Python 3.10 or newer with its venv module is needed (Debian: apt-get install python3 python3-venv).',
      { cause },
    );
  });
  await run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  writeFileSync(mark, wanted);
  return programs;
}
