import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Folders whose documents, texts for people, comments and titles of tests are read. */
const folders = [
  ...['activities', 'api', 'clients', 'db', 'docs', 'domain', 'media', 'providers', 'runtime'],
  ...['test', 'tools', 'workflows'],
];
const isRead = (file: string) =>
  /\.(?:ts|js|css|html|md|py|json|ya?ml)$/.test(file) &&
  !/node_modules|(?:^|\/)dist\/|histories\//.test(file);
const listed = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const files = ['README.md', 'CONTRIBUTING.md', ...folders.flatMap(listed)].filter(isRead);

it('a colleague is alerted: nothing says that a person is “called”, as if by phone', () => {
  const gap = String.raw`[\s*/]+`;
  const phrases = [
    ['call(?:s|ed|ing)?', '(?:a|no)', 'person'],
    ['calls?', 'for', 'a', 'person'],
    ['(?:person|colleague|nobody)', '(?:is|was|be|(?:has|had|have) been)', 'called'],
  ].map((words) => words.join(gap));
  const phrase = new RegExp(String.raw`\b(?:${phrases.join('|')})\b`, 'gi');
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(phrase)].map(([words]) => `${file}: ${words}`),
  );

  expect(files.length).toBeGreaterThan(3_000);
  expect(found).toEqual([]);
});
