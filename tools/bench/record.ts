import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawFigures } from './draw-figures.js';
import { type Entry, readEntries } from './entry.js';
import type { Result } from './measure.js';

const fileIn = (name: string) => fileURLToPath(new URL(`../../docs/bench/${name}`, import.meta.url));
const resultsFile = fileIn('results.jsonl');
const drawing = fileIn('figures.svg');

/** Adds the results to those of earlier commits, and draws them all anew. */
export function record(results: readonly Result[]): void {
  const entry: Entry = {
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    results: results.map(({ title: _, met: __, ...result }) => result),
  };
  mkdirSync(dirname(resultsFile), { recursive: true });
  appendFileSync(resultsFile, `${JSON.stringify(entry)}\n`);
  writeFileSync(drawing, drawFigures(readEntries(readFileSync(resultsFile, 'utf8'))));
}
