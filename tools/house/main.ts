import { resolve } from 'node:path';
import { markdownTable } from '../docs/markdown-table.js';
import { figuresOf } from './figures.js';
import { readSources } from './read-sources.js';

// `npm run house`: prints the size and the shape of the code, beside what they are to be.
const folder = resolve(import.meta.dirname, '../..');
const figures = figuresOf(readSources(folder), resolve(folder, 'docs'));
const rows = figures.map(({ title, value, atMost, place = '' }) => [
  title,
  value.toLocaleString('en'),
  atMost.toLocaleString('en'),
  place,
]);
process.stdout.write(`${markdownTable(['figure', 'now', 'at most', 'where'], rows)}\n`);
