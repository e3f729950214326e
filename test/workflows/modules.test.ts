import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const folder = new URL('../../workflows/', import.meta.url);
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));

it.each(files)('%s holds no state, which all runs of a process would share', async (name) => {
  const code = await readFile(new URL(name, folder), 'utf8');
  expect(code).not.toMatch(/^(export )?(let|var) /m);
  expect(code).not.toMatch(/^(export )?const [^=]+ = new (Weak)?(Map|Set)\b/m);
});
