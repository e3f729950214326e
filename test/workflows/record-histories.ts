/**
 * Records histories of the release under way, for the replay test: `npx tsx test/workflows/record-histories.ts`, with
 * names of scenarios to record only those. Those of releases stay as they are: a change of workflow code uses
 * `patched`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/dev/provision/ports.js';
import { ProcessTable } from '../../tools/dev/provision/processes.js';
import { startTemporal } from '../../tools/dev/provision/temporal-server.js';
import { intakeDataType } from '../../tools/dev/seed/clinic-intake.js';
import { cloneTemplate } from '../support/db/clone-template.js';
import { prepareFaultyRelease } from '../support/faults/faulty-release.js';
import { waitFor } from '../support/lib/wait-for.js';
import { TestBackends } from '../support/run/backends.js';
import { createSmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem } from '../support/system/system.js';
import { scriptedRuns } from '../support/temporal/scripted-runs.js';
import { recordRuns } from './histories.js';
import { assignmentScenarios } from './recording/assignment-scenarios.js';
import { branches, longBranches, playBranch } from './recording/branch-scenarios.js';
import { callScenarios } from './recording/call-scenarios.js';
import { chatScenarios } from './recording/chat-scenarios.js';
import { deliveryScenarios } from './recording/delivery-scenarios.js';
import { longScenarios } from './recording/long-scenarios.js';
import { historiesFolder, unreleased } from './recording/releases.js';
import type { Scenarios } from './recording/scenario.js';
import { selectScenarios } from './recording/select-scenarios.js';
import { standstillScenarios } from './recording/standstill-scenarios.js';
import { systemScenarios } from './recording/system-scenarios.js';
import { webhookScenarios } from './recording/webhook-scenarios.js';

const folder = join(historiesFolder, unreleased);
const names = process.argv.slice(2);

async function record(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const backends = new TestBackends();
  const processes = new ProcessTable();
  try {
    const { address, program, folder: logs } = await backends.temporal();
    const impatient = await startTemporal({
      processes,
      program,
      port: await freePort(),
      logFile: join(logs, 'impatient.log'),
      settings: ['limit.historyCount.suggestContinueAsNew=20'],
    });
    const chats = {
      ...assignmentScenarios,
      ...selectScenarios,
      ...chatScenarios,
      ...deliveryScenarios,
      ...callScenarios,
    };
    await play(backends, address, {
      ...chats,
      ...systemScenarios,
      ...webhookScenarios,
      ...standstillScenarios,
    });
    await play(backends, impatient.address, longScenarios);
    await playBranches(backends, address, branches);
    await playBranches(backends, impatient.address, longBranches);
  } finally {
    await processes.killAll();
    await backends.stop();
  }
}

async function play(backends: TestBackends, temporalAddress: string, scenarios: Scenarios): Promise<void> {
  const wanted = chosen(scenarios);
  if (wanted.length === 0) return;
  const [postgres, bundle] = await Promise.all([backends.postgres(), backends.workflows()]);
  const testDatabase = await cloneTemplate(postgres.port, postgres.superuserUrl);
  const system = await startSystem({ testDatabase, temporalAddress, workflowBundle: bundle.path });
  const workspace = await createSmsWorkspace(system);
  await workspace.addDataType(intakeDataType);
  const release = await prepareFaultyRelease(testDatabase.superuserUrl);
  for (const [name, scenario] of wanted) {
    const workflowId = await scenario(system, workspace, release);
    await save(name, system, workflowId);
  }
  await system.stop();
  await release.close();
  await testDatabase.drop();
}

async function playBranches(
  backends: TestBackends,
  temporalAddress: string,
  of: typeof branches,
): Promise<void> {
  const wanted = chosen(of);
  if (wanted.length === 0) return;
  const scripted = await scriptedRuns(temporalAddress, (await backends.workflows()).path);
  for (const [name, branch] of wanted) await save(name, scripted, await playBranch(scripted, branch));
  await scripted.stop();
}

function chosen<Played>(all: Record<string, Played>): [string, Played][] {
  return Object.entries(all).filter(([name]) => names.length === 0 || names.includes(name));
}

async function save(name: string, on: Parameters<typeof recordRuns>[0], workflowId: string): Promise<void> {
  // The oldest: where one was continued, that is the one which says so.
  const run = await waitFor('the run is listed', async () =>
    (await recordRuns(on, `WorkflowId = '${workflowId}'`)).at(-1),
  );
  await writeFile(join(folder, `${name}.json`), `${withoutMachine(run.json)}\n`);
}

/** Names of machines do not belong in the repository. */
function withoutMachine(json: string): string {
  return json.replaceAll(new RegExp(`\\d+@${hostname()}`, 'g'), 'worker');
}

await record();
