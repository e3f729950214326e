import { readFile, writeFile } from 'node:fs/promises';
import { withGeneratedParts } from './generated-parts.js';

// `npm run docs`: writes the generated parts of docs/workflows.md.
const page = 'docs/workflows.md';
await writeFile(page, withGeneratedParts(await readFile(page, 'utf8')));
