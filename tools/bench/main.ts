import { writeFileSync } from 'node:fs';
import { TestBackends } from '../../test/support/run/backends.js';
import { defaultEffort } from './figure.js';
import { figures } from './figures.js';
import { type Result, runFigure } from './measure.js';
import { type BenchOptions, readOptions } from './options.js';
import { misses, table } from './report.js';

/** Time limit: a bench that takes longer hangs. */
const maxMs = 25 * 60_000;

/** `npm run bench`: measures, prints the results, and exits with 1 if a target was missed. */
async function bench({ figures: wanted, jsonFile }: BenchOptions): Promise<void> {
  const backends = new TestBackends();
  const stop = async (code: number): Promise<never> => {
    await backends.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(1));
  setTimeout(() => {
    console.error('The bench took too long and was ended.');
    void stop(1);
  }, maxMs).unref();

  const results: Result[] = [];
  try {
    for (const figure of wanted) {
      console.error(`measuring ${figure.name} …`);
      const result = await runFigure(backends, figure, defaultEffort);
      results.push(result);
      // Print now, in case a later figure fails.
      console.error(table([result]));
    }
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    await stop(1);
  }
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`);
  const missed = misses(results);
  console.log(`\n${table(results)}\n`);
  for (const miss of missed) console.log(miss);
  await stop(missed.length === 0 ? 0 : 1);
}

try {
  await bench(readOptions(process.argv.slice(2), figures));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
