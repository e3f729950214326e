import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withGeneratedParts } from '../../tools/docs/generated-parts.js';
import { pages } from '../../tools/docs/pages.js';

it.each(Object.entries(pages))(
  '%s has the tables that the code generates: npm run docs brings it up to date',
  (path, parts) => {
    const page = readFileSync(path, 'utf8');
    expect(withGeneratedParts(page, parts)).toBe(page);
  },
);
