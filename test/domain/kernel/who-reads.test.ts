import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const place = 'domain/kernel/who-reads.ts';
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
const withText = (pattern: RegExp) =>
  ['activities', 'api', 'domain', 'media']
    .flatMap(filesOf)
    .filter((file) => pattern.test(readFileSync(file, 'utf8')));

it('one place says what a reader of files may read', () => {
  expect(withText(/\breads(?:Workspace|All): (?:true|false)\b/)).toEqual([place]);
});

it('one place asks whether a caller is known, beside that of who may approve', () => {
  expect(withText(/\bactor\??\.isKnown\b/).sort()).toEqual(['domain/chat-state/another-person.ts', place]);
});
