import { readFile, writeFile } from 'node:fs/promises';
import { withGeneratedParts } from './generated-parts.js';
import { pages } from './pages.js';

// `npm run docs`: writes the generated parts of the pages.
for (const [page, parts] of Object.entries(pages)) {
  await writeFile(page, withGeneratedParts(await readFile(page, 'utf8'), parts));
}
