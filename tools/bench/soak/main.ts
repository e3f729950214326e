import { parseArgs } from 'node:util';
import { columns } from '../report.js';
import { runBench } from '../run-bench.js';
import { openStage } from '../stage/stage.js';
import { soak } from './soak.js';

const usage = 'npm run soak -- [--minutes <number>]';
const setUpMs = 15 * 60_000;

function readMinutes(): number {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
  const minutes = Number(values.minutes);
  // The service ends a call after two hours.
  if (!(minutes >= 1 && minutes < 120)) throw new Error(usage);
  return minutes;
}

/** `npm run soak`: holds one call for an hour, and exits with 1 if something was not as it should be. */
try {
  const minutes = readMinutes();
  await runBench({ maxMs: minutes * 60_000 + setUpMs }, async (backends) => {
    const stage = await openStage(backends);
    const findings = await soak(stage, minutes, (line) => console.error(line)).finally(() => stage.close());
    const rows = findings.map(({ title, found, target, met }) => [
      title,
      found,
      target,
      met ? 'met' : 'MISSED',
    ]);
    console.log(columns([['what', 'found', 'target', ''], ...rows]));
    return findings.every(({ met }) => met);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
