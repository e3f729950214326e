import { parseArgs } from 'node:util';
import { TestBackends } from '../../../test/support/run/backends.js';
import { columns } from '../report.js';
import { openStage } from '../stage/stage.js';
import { type Finding, soak } from './soak.js';

const usage = 'npm run soak -- [--minutes <number>]';

function readMinutes(): number {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
  const minutes = Number(values.minutes);
  // The service ends a call after two hours.
  if (!(minutes >= 1 && minutes < 120)) throw new Error(usage);
  return minutes;
}

/** `npm run soak`: holds one call for an hour, and exits with 1 if something was not as it should be. */
async function main(minutes: number): Promise<void> {
  const backends = new TestBackends();
  const stop = async (code: number): Promise<never> => {
    await backends.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(1));
  let findings: Finding[] = [];
  try {
    const stage = await openStage(backends);
    try {
      findings = await soak(stage, minutes, (line) => console.error(line));
    } finally {
      await stage.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    await stop(1);
  }
  const rows = findings.map(({ title, found, target, met }) => [
    title,
    found,
    target,
    met ? 'met' : 'MISSED',
  ]);
  console.log(columns([['what', 'found', 'target', ''], ...rows]));
  await stop(findings.every(({ met }) => met) ? 0 : 1);
}

try {
  await main(readMinutes());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
