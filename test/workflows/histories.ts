import type { WorkflowHandle } from '@temporalio/client';
import type { TestSystem } from '../support/system/system.js';

/** One event as JSON: only what tests look at. */
export interface HistoryEvent {
  eventId: string;
  eventType: string;
  userMetadata?: { summary?: { data: string } };
  workflowTaskCompletedEventId?: string;
  [attributes: string]: unknown;
}

export interface RecordedRun {
  workflowId: string;
  runId: string;
  type: string;
  events: HistoryEvent[];
  /** Enumerations by name, bytes as base64; to be read again by `fromObject`. */
  json: string;
}

export async function recordRun(handle: WorkflowHandle, runId: string, type: string): Promise<RecordedRun> {
  const json = JSON.stringify(await handle.fetchHistory(), null, 1);
  const { events } = JSON.parse(json) as { events: HistoryEvent[] };
  return { workflowId: handle.workflowId, runId, type, events, json };
}

/** Every run of the system's namespace with its history. */
export async function recordRuns({ client }: Pick<TestSystem, 'client'>, query = ''): Promise<RecordedRun[]> {
  const runs: RecordedRun[] = [];
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    runs.push(await recordRun(client.workflow.getHandle(workflowId, runId), runId, type));
  }
  return runs;
}

export function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

export function readable({ json }: RecordedRun): string {
  const payloads = [...json.matchAll(/"data":\s*"([A-Za-z0-9+/=]*)"/g)].map(([, data]) => decode(data ?? ''));
  return [json, ...payloads].join('\n');
}

/** Summaries that an operator reads beside activities and timers. */
export function summariesOf({ events }: RecordedRun): string[] {
  return events.flatMap(({ userMetadata }) => {
    const data = userMetadata?.summary?.data;
    return data === undefined ? [] : [JSON.parse(decode(data)) as string];
  });
}

const billable: Record<string, string> = {
  WORKFLOW_EXECUTION_STARTED: 'start',
  WORKFLOW_EXECUTION_SIGNALED: 'signal',
  WORKFLOW_EXECUTION_UPDATE_ACCEPTED: 'update',
  ACTIVITY_TASK_SCHEDULED: 'activity',
  TIMER_STARTED: 'timer',
};

/** A patch tells its name by a search attribute, as it does by a marker. */
function isOfPatch(event: HistoryEvent): boolean {
  return JSON.stringify(event).includes('"TemporalChangeVersion"');
}

interface Marker {
  markerName: string;
  workflowTaskCompletedEventId: string;
}

/**
 * Billable Actions of a history (https://docs.temporal.io/cloud/actions): local activities count once for each workflow
 * task, however many they are. Heartbeats and retries leave no event and are not counted here.
 */
export function actionsOf({ events }: RecordedRun): string[] {
  const localTasks = new Set<string>();
  const actions: string[] = [];
  for (const event of events) {
    const type = event.eventType.replace('EVENT_TYPE_', '');
    const kind = billable[type];
    if (kind !== undefined) actions.push(kind);
    if (type === 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES' && !isOfPatch(event)) actions.push('search attributes');
    const marker = event.markerRecordedEventAttributes as Marker | undefined;
    // A patch is a marker as well, and free.
    if (marker?.markerName === 'core_local_activity') localTasks.add(marker.workflowTaskCompletedEventId);
  }
  return [...actions, ...[...localTasks].map(() => 'local activities')].sort();
}
