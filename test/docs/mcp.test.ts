import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withGeneratedParts } from '../../tools/docs/generated-parts.js';
import { pages } from '../../tools/docs/pages.js';

test('docs/mcp.md has the table of tools that the code generates: npm run docs brings it up to date', () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  expect(withGeneratedParts(page, pages['docs/mcp.md'])).toBe(page);
});
