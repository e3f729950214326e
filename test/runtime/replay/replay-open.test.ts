import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenRun, replayRuns, sampleOpenRuns } from '../../../runtime/replay/replay-runs.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { build, workflowBundle } from '../../support/run/backend-client.js';
import { installRuntime } from '../../support/temporal/install-runtime.js';
import { createNamespace } from '../../support/temporal/own-namespace.js';
import { temporalAddress } from '../../support/temporal/temporal.js';

const taskQueue = 'runs';
let address: string;
let connection: NativeConnection;
let today: string;
let changed: string;
const clients: Client[] = [];

beforeAll(async () => {
  installRuntime();
  address = await temporalAddress();
  connection = await NativeConnection.connect({ address });
  today = (await workflowBundle()).path;
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('changed-runs.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
  changed = join(dirname(today), 'changed-runs.js');
  await writeFile(changed, code);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.connection.close()));
  await connection.close();
});

interface Installation {
  namespace: string;
  client: Client;
  /** Starts a run. With a bundle, a worker also processes its first workflow task. */
  begin(workflowType: string, codePath?: string): Promise<WorkflowHandle>;
}

async function install(): Promise<Installation> {
  const namespace = await createNamespace(address);
  const client = createTemporalClient({ address, namespace, tls: false });
  clients.push(client);
  return {
    namespace,
    client,
    async begin(workflowType, codePath) {
      const workflowId = `${workflowType}-${randomUUID()}`;
      const input = { workspaceId: 1, workspaceUuid: randomUUID(), deliveryId: 2, ruleId: 3 };
      const run = await client.workflow.start(workflowType, { workflowId, taskQueue, args: [input] });
      if (codePath === undefined) return run;
      const workflowBundle = { codePath };
      const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle });
      const begun = async () => (await run.describe()).historyLength > 3;
      await worker.runUntil(waitFor('the run has begun', begun));
      return run;
    },
  };
}

/** The list of open runs, once it has `count` entries. */
async function listed({ client }: Installation, count: number): Promise<OpenRun[]> {
  return waitFor('the runs are listed', async () => {
    const runs = await sampleOpenRuns(client, 40);
    return runs.length === count ? runs : undefined;
  });
}

async function outcomes({ client }: Installation, runs: OpenRun[], codePath: string) {
  const found: Record<string, string> = {};
  for await (const { workflowId, outcome } of replayRuns(client, runs, codePath)) found[workflowId] = outcome;
  return found;
}

describe('replayRuns', () => {
  it('reports which runs can continue and which do not fit the code', async () => {
    const installation = await install();
    const other = await installation.begin('deliverWebhook', changed);
    const unknown = await installation.begin('unknownRun', changed);
    const same = await installation.begin('deliverWebhook', today);
    const waiting = await installation.begin('answerChat');
    const runs = await listed(installation, 4);

    expect(await outcomes(installation, runs, today)).toEqual({
      [same.workflowId]: 'replayed',
      [other.workflowId]: 'nondeterministic',
      [unknown.workflowId]: 'failed',
      [waiting.workflowId]: 'not_begun',
    });
    expect(await outcomes(installation, runs, changed)).toMatchObject({
      [same.workflowId]: 'nondeterministic',
      [other.workflowId]: 'replayed',
    });
  });

  it('reports a run whose history was deleted as gone', async () => {
    const installation = await install();
    const run = { workflowType: 'answerChat', workflowId: 'deleted', runId: randomUUID() };
    expect(await outcomes(installation, [run], today)).toEqual({ deleted: 'gone' });
  });
});

describe('the sample of open runs', () => {
  it('contains a bounded number per type, including the oldest, and no closed runs', async () => {
    const installation = await install();
    const { client } = installation;
    const started: WorkflowHandle[] = [];
    for (let count = 0; count < 3; count += 1) started.push(await installation.begin('deliverWebhook'));
    const ended = await installation.begin('answerChat');
    await ended.terminate();
    await installation.begin('unknownRun');
    const all = await listed(installation, 4);
    const types = (runs: OpenRun[]) => runs.map(({ workflowType }) => workflowType).sort();
    const month = new Date(Date.now() + 31 * 24 * 3_600_000);

    expect(types(all)).toEqual(['deliverWebhook', 'deliverWebhook', 'deliverWebhook', 'unknownRun']);
    expect(types(await sampleOpenRuns(client, 1, month))).toEqual(['deliverWebhook', 'unknownRun']);
    // A fifth of the sample is reserved for runs of the last hour.
    const two = ['deliverWebhook', 'deliverWebhook'];
    expect(types(await sampleOpenRuns(client, 10))).toEqual([...two, 'unknownRun']);
  });
});

describe('npm run replay:open', () => {
  beforeAll(() => build(), 300_000);

  async function runProgram(environment: Record<string, string>, ...args: string[]) {
    const { dist } = await build();
    const program = [join(dist, 'runtime/replay/main.js'), ...args];
    const env = { PATH: process.env.PATH ?? '', ...environment };
    return promisify(execFile)(process.execPath, program, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  it('exits with 0 when every run can continue, and with 1 when one cannot, and prints ids and codes', async () => {
    const installation = await install();
    const environment = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: installation.namespace };
    await installation.begin('deliverWebhook', today);
    await listed(installation, 1);
    const before = await runProgram(environment);

    const other = await installation.begin('deliverWebhook', changed);
    await listed(installation, 2);
    const after = await runProgram(environment, '--runs', '100');

    expect(before).toEqual({ code: 0, stdout: '1 open runs, 1 replayed\n', stderr: '' });
    const { runId } = await other.describe();
    const [line, counts] = after.stdout.split('\n');
    expect(line).toBe(`nondeterministic deliverWebhook ${other.workflowId} ${runId}`);
    expect(counts).toMatch(/^2 open runs, /);
    expect(after).toMatchObject({ code: 1, stderr: '' });
  }, 120_000);

  it.each([
    ['Temporal is away', { TEMPORAL_ADDRESS: '127.0.0.1:1' }, []],
    ['the namespace does not exist', { TEMPORAL_NAMESPACE: 'nowhere' }, []],
    ['it is asked for no runs', {}, ['--runs', '0']],
    ['it is given an option it does not have', {}, ['--all']],
  ])('exits with 2 when %s', async (_what, environment, args) => {
    const { code, stdout, stderr } = await runProgram({ TEMPORAL_ADDRESS: address, ...environment }, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
