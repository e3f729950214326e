import type { Client } from '@temporalio/client';
import { runTypes } from '../../workflows/contracts/runs.js';
import { withinDeadline } from '../temporal/connect.js';

export interface OpenRun {
  workflowType: string;
  workflowId: string;
  runId: string;
}

const listWithinMs = 10_000;
const hour = 3_600_000;
const day = 24 * hour;
/** Boundaries between the age groups of a sample, because lists begin with the youngest run. */
const agesMs = [hour, day, 7 * day, 30 * day];

/**
 * Lists at most `perType` open runs of each type, in equal parts by age, so that the sample includes runs that earlier
 * releases began. Types that this build does not have share one sample.
 */
export async function sampleOpenRuns(client: Client, perType: number, now = new Date()): Promise<OpenRun[]> {
  const types = [
    ...runTypes.map((type) => `WorkflowType = '${type}'`),
    `WorkflowType NOT IN (${runTypes.map((type) => `'${type}'`).join(', ')})`,
  ];
  const ages = partsByAge(now);
  const perPart = Math.ceil(perType / ages.length);
  const sample: OpenRun[] = [];
  for (const type of types) {
    const ofType: OpenRun[] = [];
    for (const age of ages) {
      const most = Math.min(perPart, perType - ofType.length);
      ofType.push(...(await listSome(client, `ExecutionStatus = 'Running' AND ${type} AND ${age}`, most)));
    }
    sample.push(...ofType);
  }
  return sample;
}

/** Returns conditions of which each run meets exactly one, the oldest first. */
function partsByAge(now: Date): string[] {
  const bounds = agesMs.map((ageMs) => `'${new Date(now.getTime() - ageMs).toISOString()}'`).reverse();
  return [
    `StartTime < ${bounds[0]}`,
    ...bounds.slice(1).map((bound, index) => `StartTime >= ${bounds[index]} AND StartTime < ${bound}`),
    `StartTime >= ${bounds.at(-1)}`,
  ];
}

async function listSome(client: Client, query: string, most: number): Promise<OpenRun[]> {
  if (most === 0) return [];
  return withinDeadline(client, Date.now() + listWithinMs, async () => {
    const runs: OpenRun[] = [];
    for await (const { type, workflowId, runId } of client.workflow.list({ query, pageSize: most })) {
      runs.push({ workflowType: type, workflowId, runId });
      if (runs.length === most) break;
    }
    return runs;
  });
}
