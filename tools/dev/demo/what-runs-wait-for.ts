import { Client, Connection } from '@temporalio/client';
import type { DevFile } from '../launcher/dev-file.js';

const runsAtMost = 5;
const patienceMs = 10_000;

interface Metadata {
  currentDetails?: string;
}

/** A line for each of the newest open runs of the demo workspace: what it waits for, and its last failure. */
export async function whatRunsWaitFor({ temporalAddress, workspaceUuid }: DevFile): Promise<string[]> {
  const connection = Connection.lazy({ address: temporalAddress });
  const client = new Client({ connection });
  try {
    return await client.withDeadline(Date.now() + patienceMs, () => linesOf(client, workspaceUuid));
  } catch {
    return [`Temporal at ${temporalAddress} does not say what the runs wait for.`];
  } finally {
    await connection.close();
  }
}

async function linesOf(client: Client, workspaceUuid: string): Promise<string[]> {
  const open = `WorkspaceUuid = '${workspaceUuid}' AND ExecutionStatus = 'Running'`;
  const lines: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: open, pageSize: runsAtMost })) {
    lines.push(await lineOf(client, workflowId));
    if (lines.length === runsAtMost) break;
  }
  return lines.length === 0 ? ['No run of the workspace is open.'] : lines;
}

async function lineOf(client: Client, workflowId: string): Promise<string> {
  const run = client.workflow.getHandle(workflowId);
  const { raw } = await run.describe();
  const activities = (raw.pendingActivities ?? []).map(({ activityType, attempt, lastFailure }) => {
    const failure = lastFailure?.message ? `: ${lastFailure.message}` : '';
    return `${activityType?.name}, attempt ${attempt}${failure}`;
  });
  // A run whose worker is away answers no query.
  const details = await run
    .query<Metadata>('__temporal_workflow_metadata')
    .then(({ currentDetails }) => currentDetails)
    .catch(() => undefined);
  return [workflowId, ...activities, ...(details ? [details] : [])].join(' | ');
}
