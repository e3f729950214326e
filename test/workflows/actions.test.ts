import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { startWebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { stageWebhooks } from '../support/webhooks/webhook-stage.js';
import { type RecordedRun, recordRuns } from './histories.js';
import { doors } from './small-trees.js';

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

const billable: Record<string, string> = {
  WORKFLOW_EXECUTION_STARTED: 'start',
  WORKFLOW_EXECUTION_SIGNALED: 'signal',
  WORKFLOW_EXECUTION_UPDATE_ACCEPTED: 'update',
  ACTIVITY_TASK_SCHEDULED: 'activity',
  TIMER_STARTED: 'timer',
};

/**
 * Billable Actions of a history (https://docs.temporal.io/cloud/actions): local activities count once for each
 * workflow task, however many they are. Heartbeats and retries leave no event and are not counted here.
 */
function actionsOf({ events }: RecordedRun): string[] {
  const localTasks = new Set<string>();
  const actions: string[] = [];
  for (const event of events) {
    const type = event.eventType.replace('EVENT_TYPE_', '');
    const kind = billable[type];
    if (kind !== undefined) actions.push(kind);
    const marker = event.markerRecordedEventAttributes as
      | { workflowTaskCompletedEventId: string }
      | undefined;
    if (marker !== undefined) localTasks.add(marker.workflowTaskCompletedEventId);
  }
  return [...actions, ...[...localTasks].map(() => 'local activities')].sort();
}

async function actionsSince(query: string, before: RecordedRun[]): Promise<string[]> {
  const known = new Map(before.map((run) => [run.runId, actionsOf(run)]));
  const left = (await recordRuns(system, query)).map((run) => {
    const actions = actionsOf(run);
    for (const old of known.get(run.runId) ?? []) actions.splice(actions.indexOf(old), 1);
    return actions;
  });
  return left.flat().sort();
}

const outboxOf = (subject: string) => workspace.select('select id from outbox where subject = ?', [subject]);

/** Current counts, which may only decrease. */
describe('the billable Temporal Actions', () => {
  it('do not increase for a turn over SMS in an assignment', async () => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await assignment.settled();
    const query = `WorkflowId = 'assignment-${assignment.assignmentUuid}'`;
    const before = await recordRuns(system, query);

    await assignment.write('hm');
    await assignment.heard('I did not get that.');
    await assignment.settled();

    expect(await actionsSince(query, before)).toEqual([
      'activity',
      'local activities',
      'local activities',
      'signal',
    ]);
  });

  it('do not increase for a turn over SMS in a chat', async () => {
    const chat = await workspace.openChat();

    await chat.write('hello');
    await chat.heard('You wrote: hello.');
    await system.run('answerChat', chat.chatUuid).result();

    expect(await actionsSince(`WorkflowId = 'chat-${chat.chatUuid}'`, [])).toEqual([
      'activity',
      'local activities',
      'signal',
      'start',
    ]);
  });

  it.each([
    { receipts: 'late', late: [500, 500] },
    { receipts: 'before the carrier has answered', late: [0, 0] },
  ] as const)('do not increase for a delivered SMS with receipts $receipts', async ({ late }) => {
    await system.carrier.turn({ late: [...late] });
    onTestFinished(() => system.carrier.turn({ late: [0, 0] }));
    const chat = await workspace.openChat();
    await system.api.request('POST', workspace.path(`/chats/${chat.chatId}/send-assistant-message`), {
      apiKey: workspace.admin.apiKey,
      body: { message: 'hello' },
    });
    await chat.settled();
    await waitFor('the relay has brought all', async () => (await outboxOf(chat.chatUuid)).length === 0);
    await system.run('deliverMessages', chat.chatUuid).result();

    const actions = await actionsSince(`WorkflowId = 'deliveries-${chat.chatUuid}'`, []);

    expect(actions).toEqual(['activity', 'signal', 'start']);
  });

  it('do not increase for an event delivered at the first attempt', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const stage = await stageWebhooks(workspace, { url: receiver.url() });
    const [delivery] = await stage.happen();
    const run = system.run('deliverWebhook', delivery?.uuid ?? '');
    await waitFor('it is delivered', async () => (await run.result()).status === 'delivered');

    const actions = await actionsSince(`WorkflowId = '${run.workflowId}'`, []);

    expect(actions).toEqual(['activity', 'start']);
  });

  it('do not increase for a select that the agent comments on', async () => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await assignment.settled();
    const query = `WorkflowId = 'assignment-${assignment.assignmentUuid}'`;
    const before = await recordRuns(system, query);
    const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId('Open')}/select`;

    await system.api.request('PUT', workspace.path(path), { apiKey: workspace.admin.apiKey });
    await assignment.heard('You are in the open room.');
    await assignment.settled();

    expect(await actionsSince(query, before)).toEqual([
      'activity',
      'local activities',
      'local activities',
      'update',
    ]);
  });
});
