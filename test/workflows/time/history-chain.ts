import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** One run of several that followed each other under a workflow id. */
export interface ChainedRun {
  events: HistoryEvent[];
  /** What it was given, as JSON. */
  input: string;
  /** Whether another has gone on from it. */
  continued: boolean;
}

/** The runs that followed each other under a workflow id, oldest first. */
export async function historyChain(client: Client, workflowId: string): Promise<ChainedRun[]> {
  const chain: ChainedRun[] = [];
  for (let runId: string | undefined, more = true; more; ) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    const input = started?.input?.payloads?.[0]?.data;
    chain.unshift({
      events: events ?? [],
      input: Buffer.from(input ?? []).toString('utf8'),
      continued: Boolean(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes),
    });
    runId = started?.continuedExecutionRunId || undefined;
    more = runId !== undefined;
  }
  return chain;
}
