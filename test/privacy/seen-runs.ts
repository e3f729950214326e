import type { WorkflowHandle } from '@temporalio/client';
import type { TestSystem } from '../support/system/system.js';
import { decode, readable, recordRuns } from '../workflows/histories.js';

/** What can be read of a run, by where. */
export interface SeenRun {
  workflowId: string;
  type: string;
  /** Its events, payloads decoded: inputs, results, signals, summaries, failures with their stacks. */
  history: string;
  /** What lists and descriptions show. */
  description: string;
  /** The details that it sets itself as it goes. */
  currentDetails: string;
}

/** Every run of the namespace. A worker has to be there: it tells the current details. */
export async function seenRuns(system: Pick<TestSystem, 'client'>): Promise<SeenRun[]> {
  const runs = await recordRuns(system);
  return Promise.all(
    runs.map(async (run) => {
      const handle = system.client.workflow.getHandle(run.workflowId, run.runId);
      const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return {
        workflowId: run.workflowId,
        type: run.type,
        history: readable(run),
        description: await descriptionOf(handle),
        currentDetails: metadata.currentDetails ?? '',
      };
    }),
  );
}

/** Memo, search attributes, static summary and details, pending activities with their last failure. */
export async function descriptionOf(handle: WorkflowHandle): Promise<string> {
  const description = await handle.describe();
  const raw = JSON.stringify(description.raw);
  const shown = [await description.staticSummary(), await description.staticDetails()];
  const read = JSON.stringify([description.memo, description.typedSearchAttributes]);
  return [raw, ...payloads(raw), read, ...shown].join('\n');
}

/** Payloads are base64 in there, or a list of bytes. */
function payloads(json: string): string[] {
  const texts = [...json.matchAll(/"data":"([A-Za-z0-9+/=]*)"/g)].map(([, data]) => decode(data ?? ''));
  const bytes = [...json.matchAll(/"data":\{"type":"Buffer","data":\[([\d,]*)\]\}/g)].map(([, list]) =>
    Buffer.from((list ?? '').split(',').map(Number)).toString('utf8'),
  );
  return [...texts, ...bytes];
}
