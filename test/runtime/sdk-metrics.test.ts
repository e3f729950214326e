import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../tools/dev/provision/ports.js';
import { formerTaskQueues, taskQueues } from '../../workflows/contracts/runs.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startWorkerProcess } from '../support/run/service-process.js';
import { createSmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';

const testDatabase = useDatabase();
let system: TestSystem;
let worker: ServiceProcess;
let metricsUrl: string;

beforeAll(async () => {
  system = await startSystem({ testDatabase, relay: false, worker: false });
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  worker = await startWorkerProcess({
    system,
    testDatabase,
    publicUrl: system.api.baseUrl,
    env: { TEMPORAL_METRICS_PORT: String(port) },
  });
});
afterAll(async () => {
  await worker.kill();
  await system.stop();
});

/** The samples of a metric by their label for the task queue. */
async function scrape(metric: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const samples = text.split('\n').flatMap((line) => {
    const found = /^(\w+)\{.*task_queue="(\w+)".*\} (\S+)$/.exec(line);
    return found?.[1] === metric ? [[found[2] ?? '', Number(found[3])] as const] : [];
  });
  return new Map(samples);
}

it('a worker serves the metrics of the SDK that operators need on a port of their own', async () => {
  const workspace = await createSmsWorkspace(system);
  const chat = await workspace.openChat();
  await chat.write('hello');
  await chat.heard('hello');

  const latencies = [
    ['temporal_workflow_task_schedule_to_start_latency_count', taskQueues.runs],
    ['temporal_activity_schedule_to_start_latency_count', taskQueues.turns],
  ] as const;
  for (const [metric, queue] of latencies) {
    await waitFor(`${metric} counts the turn`, async () => ((await scrape(metric)).get(queue) ?? 0) > 0);
  }
  const slots = await scrape('temporal_worker_task_slots_available');
  expect([...slots.keys()].sort()).toEqual([...Object.values(taskQueues), ...formerTaskQueues].sort());
});
