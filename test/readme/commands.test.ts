import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsBeside, linesOf, pagesOfRequests, ranBy, ranByNothing } from './commands.js';
import { allPages, blocksIn, type Page, projectFolder } from './markdown.js';

/** Decisions and reviews tell what was. */
const pages = (await allPages()).filter(({ path }) => !/^docs\/(decisions|reviews)\//.test(path));

/** Pages whose blocks are run whole, beside those that are run with the variables of the tour. */
const runWhole: Readonly<Record<string, string>> = {
  'README.md': 'test/readme/readme.test.ts',
  'docs/tour.md': 'test/readme/readme.test.ts',
  'docs/workflows.md': 'test/readme/readme.test.ts',
  'docs/upgrades.md': 'test/readme/readme.test.ts',
  'docs/mcp.md': 'test/interop/mcp-first-connection.interop.ts',
};
const others = [...ranBy, ...ranByNothing].map(([command]) => command);
const isListed = (command: string) => others.some((other) => other.test(command));

function isRun(page: Page, block: string): boolean {
  if (page.path in runWhole || (pagesOfRequests as readonly string[]).includes(page.path)) return true;
  return linesOf(block).every(isListed);
}

describe('the commands of a page', () => {
  it.each(pages.map((page) => [page.path, page] as const))('are run by something: %s', (_path, page) => {
    const blocks = blocksIn(page, 'sh').filter((block) => !isRun(page, block));
    expect(blocks).toEqual([]);
    expect(commandsBeside(page).filter((command) => !isListed(command))).toEqual([]);
  });

  it.each(ranBy)('are run by a file that is there, and says so: %s by %s', (_command, file, words) => {
    expect(readFileSync(join(projectFolder, file), 'utf8')).toContain(words);
  });

  it.each(Object.entries(runWhole))('of %s are read by %s', (path, file) => {
    expect(readFileSync(join(projectFolder, file), 'utf8')).toContain(path);
  });

  it('are listed only while a page has them', () => {
    const all = pages.flatMap((page) => [...commandsBeside(page), ...blocksIn(page, 'sh').flatMap(linesOf)]);
    expect(others.filter((other) => !all.some((command) => other.test(command)))).toEqual([]);
    expect(pagesOfRequests.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
  });
});
