import type { Result } from './measure.js';

/** The results of one bench: a line of `docs/bench/results.jsonl`. */
export interface Entry {
  commit: string;
  date: string;
  node: string;
  cores: number;
  memoryGb: number;
  results: readonly Omit<Result, 'title' | 'met'>[];
}

export function readEntries(lines: string): Entry[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}
