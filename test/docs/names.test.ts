import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../api/http/error-codes.js';
import {
  allPages,
  codeIn,
  deadAnchors,
  firstCells,
  missingPaths,
  type Page,
  projectFolder,
  readPage,
} from '../readme/markdown.js';
import { variablesRead } from '../readme/variables-read.js';

const readme = await readPage('README.md');
const contributing = await readPage('CONTRIBUTING.md');
const configuration = await readPage('docs/configuration.md');
const containers = await readPage('docs/containers.md');
const pages = await allPages();
const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('the names in the documentation', () => {
  it.each(pages.map((page) => [page.path, page] as const))('refer to existing files: %s', (_path, page) => {
    expect(missingPaths(page)).toEqual([]);
  });

  it.each(pages.map((page) => [page.path, page] as const))('lead to existing headings: %s', (_path, page) => {
    expect(deadAnchors(page)).toEqual([]);
  });

  it.each(pages.filter(isForReaders).map((page) => [page.path, page] as const))(
    'are error codes with their status, and words of the code: %s',
    (_path, page) => {
      expect(undeclaredCodes(page)).toEqual([]);
      expect(unknownWords(page)).toEqual([]);
    },
  );

  it('refer to existing scripts', () => {
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/\bnpm (?:run (?:--silent )?|(?=start|test))([a-z][a-z:]*[a-z])/g)].map(
        ([, name]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name = '') => scripts[name] === undefined)).toEqual([]);
  });

  it('include every script in the table of scripts', () => {
    const listed = firstCells(contributing, 'Scripts').map((command) => command.replace(/^npm (run )?/, ''));
    const expected = Object.keys(scripts).filter((name) => !name.startsWith('check:'));
    expect(listed.sort()).toEqual(expected.sort());
  });

  it('include every variable in the table of variables', async () => {
    expect(firstCells(configuration, 'Variables').sort()).toEqual(await variablesRead());
  });

  it('include every variable that docker-compose.yml reads', async () => {
    const compose = await readFile(join(projectFolder, 'docker-compose.yml'), 'utf8');
    const taken = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name ?? '');
    const named = [...codeIn(configuration), ...codeIn(containers)];
    expect(taken.filter((name) => !named.includes(name))).toEqual([]);
  });
});

/** Decisions and reviews tell what was; the other pages what is. */
function isForReaders({ path }: Page): boolean {
  return !/^docs\/(decisions|reviews)\//.test(path);
}

/** Names that others give: the SDK of Temporal to its metrics, PostgreSQL to a constraint, CEL and OAuth. */
const ofOthers =
  /^(temporal_\w+|task_queue|workflow_tasks_task_type_check|null_type|invalid_scope|temporarily_unavailable)$/;

/** Codes beside a status, such as 409 `not_waiting`, that are not declared for it. */
function undeclaredCodes({ text }: Page): string[] {
  const named = [...text.matchAll(/\b([45]\d\d)\s+`([a-z]+(?:_[a-z]+)+)`/g)];
  return named
    .filter(([, , code = '']) => !ofOthers.test(code))
    .filter(([, status, code]) => !errorCodes.some((it) => it.code === code && it.status === Number(status)))
    .map(([, status, code]) => `${status} ${code}`);
}

const folders = [
  'activities',
  'api',
  'clients',
  'db',
  'domain',
  'media',
  'providers',
  'runtime',
  'tools',
  'workflows',
];
const words = new Set(
  folders
    .flatMap((folder) =>
      readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(projectFolder, folder, file),
      ),
    )
    .filter((file) => /\.(ts|js|sql|py|env)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []),
);

/** What stands in backticks like a code, and is neither in our code nor in an example of the page. */
function unknownWords(page: Page): string[] {
  const examples = page.text.match(/^ *```[\s\S]*?^ *```$/gm)?.join('\n') ?? '';
  const named = codeIn(page).filter((code) => /^[a-z]+(_[a-z]+)+$/.test(code));
  return named.filter((code) => !words.has(code) && !examples.includes(code) && !ofOthers.test(code));
}

describe('the README', () => {
  it('has less than 700 words', () => {
    expect(readme.text.split(/\s+/).length).toBeLessThan(700);
  });

  it('shows the product in two small pictures, and says what is in them', () => {
    const pictures = [...readme.text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    expect(pictures).toHaveLength(2);
    for (const [, words, path] of pictures) {
      expect(words?.split(/\s+/).length).toBeGreaterThan(5);
      expect(statSync(join(projectFolder, path ?? '')).size).toBeLessThan(150_000);
    }
  });
});
