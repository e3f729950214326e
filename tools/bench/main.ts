import { writeFileSync } from 'node:fs';
import { compareWith } from './beside.js';
import { costEffort, costTable, measureCost } from './costs/measure-costs.js';
import { countableSettings } from './costs/meter.js';
import { operations } from './costs/operations.js';
import { defaultEffort } from './figure.js';
import { figures } from './figures.js';
import { largeSettings, openInstallations } from './large/measure-large.js';
import { questions } from './large/questions.js';
import { type Result, runFigure } from './measure.js';
import { readOptions } from './options.js';
import { record } from './record.js';
import { misses, table } from './report.js';
import { runBench } from './run-bench.js';

const maxMs = 25 * 60_000;

/** Measures one after the other, and prints each at once, in case a later one fails. */
async function each<Item extends { name: string }, Result>(
  items: readonly Item[],
  measure: (item: Item) => Promise<Result>,
  tableOf: (results: readonly Result[]) => string,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    console.error(`measuring ${item.name} …`);
    const result = await measure(item);
    results.push(result);
    console.error(tableOf([result]));
  }
  console.log(`\n${tableOf(results)}\n`);
  return results;
}

/** `npm run bench`: measures, prints the results, and exits with 1 if a target was missed. */
async function bench(): Promise<void> {
  const options = readOptions(process.argv.slice(2), { figures, operations, questions });
  const keep = (results: unknown) => {
    if (options.jsonFile !== undefined) {
      writeFileSync(options.jsonFile, `${JSON.stringify(results, null, 2)}\n`);
    }
  };
  const conclude = (results: readonly Result[]) => {
    keep(results);
    const missed = misses(results);
    for (const miss of missed) console.log(miss);
    return missed.length === 0;
  };
  if (options.command === 'beside') {
    if (!compareWith(options.base, options.figures)) process.exitCode = 1;
  } else if (options.command === 'costs') {
    await runBench({ maxMs, settings: countableSettings }, async (backends) => {
      keep(await each(options.operations, (one) => measureCost(backends, one, costEffort), costTable));
      return true;
    });
  } else if (options.command === 'large') {
    await runBench({ maxMs: maxMs * 4, settings: largeSettings }, async (backends) => {
      console.error('filling two installations …');
      const installations = await openInstallations(backends, options.scale, defaultEffort);
      const results = await each(options.questions, installations.measure, table);
      await installations.close();
      return conclude(results);
    });
  } else {
    await runBench({ maxMs }, async (backends) => {
      const results = await each(options.figures, (one) => runFigure(backends, one, defaultEffort), table);
      if (options.isRecorded) record(results);
      return conclude(results);
    });
  }
}

try {
  await bench();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
