import type { Database } from '../../db/database.js';
import { differencesOf } from './compare-with-expectation.js';
import { type ExpectedWalk, type PlayedWorkflow, readWalks, readWorkflow } from './files.js';
import { sentenceOf } from './play-by-hand.js';
import { play } from './player.js';

/** A file of walks with its workflow. */
export interface Suite {
  path: string;
  workflow: PlayedWorkflow;
  walks: ExpectedWalk[];
}

/** @throws FileError */
export async function readSuite(path: string): Promise<Suite> {
  const { workflow, walks } = await readWalks(path);
  return { path, workflow: await readWorkflow(workflow), walks };
}

/** Plays the walks of files, and prints a line for each. @returns how many are not as expected */
export async function checkSuites(
  db: Database,
  suites: readonly Suite[],
  print: (line: string) => void,
): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const { path, workflow, walks } of suites) {
    print(path);
    for (const { name, expect, ...input } of walks) {
      const differences = await play(db, workflow, input).then(
        (walk) => differencesOf(walk, expect),
        (error: unknown) => [sentenceOf(error)],
      );
      print(`  ${differences.length === 0 ? '✓' : '✗'} ${name}`);
      for (const difference of differences) print(`      ${difference}`);
      if (differences.length === 0) passed += 1;
      else failed += 1;
    }
  }
  print(`${passed} passed, ${failed} failed`);
  return failed;
}
