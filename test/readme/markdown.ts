import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  const fenced = text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm);
  return [...fenced]
    .filter(([, , name]) => name === language)
    .map(([, indent = '', , code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim());
}

/** What stands in `backticks` outside of blocks. */
export function codeIn({ text }: Page): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');
}

function withoutBlocks(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** First cells of the table rows below a heading. */
export function firstCells({ text }: Page, heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` *\|/gm)].map(([, cell]) => cell ?? '');
}

/** Links to headings that are not there, in this page or another one of the project, with `#`. */
export function deadAnchors(page: Page): string[] {
  const links = [...page.text.matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)];
  return links.flatMap(([, target = '', anchor = '']) => {
    if (/^https?:/.test(target)) return [];
    const path = target === '' ? page.path : join(dirname(page.path), target);
    return anchorsOf(path).has(anchor) ? [] : [`${path}#${anchor}`];
  });
}

/** The anchors that GitHub makes of the headings of a page. None, if there is no such page. */
function anchorsOf(path: string): Set<string> {
  const file = join(projectFolder, path);
  const text = existsSync(file) && path.endsWith('.md') ? readFileSync(file, 'utf8') : '';
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replaceAll(/\]\([^)]*\)/g, ']').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let free = anchor;
    for (let again = 1; anchors.has(free); again++) free = `${anchor}-${again}`;
    anchors.add(free);
  }
  return anchors;
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
  if (/[\s<>{}*$…]/.test(code) || /^\.(data|cache|artifacts)\b/.test(code)) return false;
  if (rootFile.test(code)) return true;
  const [first = '', ...rest] = code.split('/');
  return rest.length > 0 && first !== '' && existsSync(join(projectFolder, first));
}

/** What is compiled exists as its source. */
function asSource(path: string): string {
  if (path === 'dist/workflow-bundle.js') return 'runtime/bundle-workflows.ts';
  return path.replace(/^dist\/(.+)\.js$/, '$1.ts').replace(/^dist\/$/, 'tsconfig.build.json');
}
