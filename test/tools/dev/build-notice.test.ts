import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../readme/markdown.js';
import { run } from '../../readme/shell.js';

const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));

test('npm run build says that it takes long the first time only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wes-build-'));
  try {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of ['tsc', 'node']) {
      const compiles = 'mkdir -p dist && touch dist/.tsbuildinfo';
      writeFileSync(join(programs, name), `#!/bin/sh\n${compiles}\n`);
      chmodSync(join(programs, name), 0o755);
    }
    const env = { PATH: `${programs}:${process.env.PATH}` };
    const build = () => run('sh', ['-c', scripts.build], { cwd: folder, env });
    expect(await build()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('about a minute') });
    expect(await build()).toMatchObject({ exitCode: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
