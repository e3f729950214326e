import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/testing.md`, 'utf8');
const rows = page
  .slice(page.indexOf('\n## Calls'), page.indexOf('\n## Faults'))
  .split('\n')
  .flatMap((line) => /^\| (?!-|Others)(.+) \| (.+) \|$/.exec(line)?.slice(1, 3) ?? []);
const titles = rows.filter((_, index) => index % 2 === 1);

it('finds the test that each row of the page about calls names', () => {
  const tests = ['media', 'domain', 'activities', 'api', 'providers'].flatMap((area) =>
    readdirSync(`${root}test/${area}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${root}test/${area}/${name}`),
  );
  const sources = tests.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(titles.length).toBeGreaterThan(20);
  expect(titles.filter((title) => !sources.includes(`'${title}'`))).toEqual([]);
});
