import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

export interface Page {
  /** From the project's folder. */
  path: string;
  text: string;
}

export async function readPage(path: string): Promise<Page> {
  return { path, text: await readFile(join(projectFolder, path), 'utf8') };
}

/** The README, the guide for contributors and everything in docs/. */
export async function allPages(): Promise<Page[]> {
  const docs = await readdir(join(projectFolder, 'docs'), { recursive: true });
  const paths = docs.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`);
  return Promise.all(['README.md', 'CONTRIBUTING.md', ...paths.sort()].map(readPage));
}

/** The code of every block in this language, in order. */
export function blocksIn({ text }: Page, language: string): string[] {
  const fenced = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...fenced].filter(([, name]) => name === language).map(([, , code]) => code?.trim() ?? '');
}

/** What stands in `backticks` outside of blocks. */
export function codeIn({ text }: Page): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');
}

/** First cells of the table rows below a heading. */
export function firstCells({ text }: Page, heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` *\|/gm)].map(([, cell]) => cell ?? '');
}

/** Files and folders of this project that a page names, in links and in backticks, and that do not exist. */
export function missingPaths(page: Page): string[] {
  const linked = [...page.text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^https?:/.test(target))
    .map((target) => join(dirname(page.path), target));
  const named = codeIn(page).filter(looksLikePath).map(asSource);
  return [...linked, ...named].filter(
    (path) => !existsSync(join(projectFolder, path)) && !sourceNames.has(path),
  );
}

/** The names of all source files: a page may name a file beside one that it gives with its folder. */
const sourceNames = new Set(
  ['activities', 'api', 'db', 'domain', 'media', 'providers', 'runtime', 'test', 'tools', 'workflows']
    .flatMap((folder) => readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }))
    .map((path) => basename(path))
    .filter((name) => name.endsWith('.ts')),
);

const rootFile = /^[.\w-]+\.(ts|json|yml|md|cjs)$/;

/** What begins with a folder of the project, or is a file in it: but for places to be filled in, and what runs leave. */
function looksLikePath(code: string): boolean {
  if (/[\s<>{}*$…]/.test(code) || /^\.(data|cache)\b/.test(code)) return false;
  if (rootFile.test(code)) return true;
  const [first = '', ...rest] = code.split('/');
  return rest.length > 0 && first !== '' && existsSync(join(projectFolder, first));
}

/** What is compiled exists as its source. */
function asSource(path: string): string {
  if (path === 'dist/workflow-bundle.js') return 'runtime/bundle-workflows.ts';
  return path.replace(/^dist\/(.+)\.js$/, '$1.ts').replace(/^dist\/$/, 'tsconfig.build.json');
}
