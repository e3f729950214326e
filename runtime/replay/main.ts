import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { ConfigurationError, readTemporalConfiguration } from '../configuration.js';
import { safeCode } from '../error-codes.js';
import { closeTemporalClient, createTemporalClient } from '../temporal/connect.js';
import { type ReplayOutcome, replayRuns, sampleOpenRuns } from './replay-runs.js';

const maxPerType = 1_000;

// Run before a deploy (docs/upgrades.md). Exits with 1 if a run cannot be replayed, with 2 if that could not be
// determined.
try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  const sentence = error instanceof ConfigurationError ? error.message : `Not replayed: ${safeCode(error)}`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

/** @returns whether every sampled run that has begun can continue with this build */
async function main(): Promise<boolean> {
  const perType = readPerType();
  const codePath = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
  if (!existsSync(codePath)) throw new ConfigurationError('There is no build: run "npm run build" first.');
  const client = createTemporalClient(readTemporalConfiguration());
  try {
    const counts = new Map<ReplayOutcome, number>();
    const runs = await sampleOpenRuns(client, perType);
    installQuietRuntime();
    for await (const { outcome, workflowType, workflowId, runId } of replayRuns(client, runs, codePath)) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome === 'nondeterministic' || outcome === 'failed')
        process.stdout.write(`${outcome} ${workflowType} ${workflowId} ${runId}\n`);
    }
    const told = [...counts].map(([outcome, count]) => `, ${count} ${outcome}`).join('');
    process.stdout.write(`${runs.length} open runs${told}\n`);
    return !counts.has('nondeterministic') && !counts.has('failed');
  } finally {
    await closeTemporalClient(client);
  }
}

/**
 * Silences the SDK's log, which quotes histories; each result says whether its run was replayed. Installed only when
 * needed: the runtime ends with its last worker, and a process whose runtime never had a worker does not exit.
 */
function installQuietRuntime(): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => {}),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}

/** @throws ConfigurationError */
function readPerType(): number {
  try {
    const { values } = parseArgs({ options: { runs: { type: 'string', default: '40' } } });
    const perType = Number(values.runs);
    if (Number.isInteger(perType) && perType >= 1 && perType <= maxPerType) return perType;
  } catch {
    // An unknown option gets the same message as an invalid number.
  }
  throw new ConfigurationError(`The only option is --runs, the runs of each type: 1 to ${maxPerType}.`);
}
