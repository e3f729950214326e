import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { type OwnTemporal, startOwnTemporal } from '../support/temporal/temporal.js';
import { doors } from './small-trees.js';

let temporal: OwnTemporal;
let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  // A server that suggests continue-as-new for short histories.
  temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=20']);
  system = await startSystem({ temporalAddress: temporal.address });
  workspace = await createSmsWorkspace(system);
});
afterAll(async () => {
  await system.stop();
  await temporal.stop();
});

/** The ids of the runs that have followed each other under one workflow id. */
function runIdsOf(workflowId: string): Promise<Set<string>> {
  return runIdsBy(`WorkflowId = '${workflowId}'`);
}

async function runIdsBy(query: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { runId } of system.client.workflow.list({ query })) ids.add(runId);
  return ids;
}

describe('continue-as-new of a run with a long history', () => {
  it('resumes in the same state', async () => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');

    for (const number of [1, 2, 3, 4, 5, 6]) {
      await assignment.write(`hm ${number}`);
      await waitFor('it is answered', async () => (await assignment.said('assistant')).length === number + 1);
    }
    await Promise.all(
      Array.from({ length: 10 }, () => system.run('runAssignment', assignment.assignmentUuid).signal('poke')),
    );
    await assignment.write('the exit');

    await assignment.concluded('completed');
    await waitFor(
      'it was continued',
      async () => (await runIdsOf(`assignment-${assignment.assignmentUuid}`)).size > 1,
    );
    expect(await assignment.said('user')).toHaveLength(7);
    expect(await assignment.said('assistant')).toHaveLength(7);
    await waitFor('each is found by what it is about', async () => {
      const all = await runIdsOf(`assignment-${assignment.assignmentUuid}`);
      const found = await runIdsBy(`AssignmentId = '${assignment.assignmentId}'`);
      return all.size > 1 && found.size === all.size;
    });
  });

  it('loses no concurrent select', async () => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId('Open')}/select`;

    const answers = await Promise.all(Array.from({ length: 15 }, () => workspace.asAdmin('PUT', path)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [visits] = await workspace.select<{ count: number }>(
      'select count(*)::int as count from assignment_task_visits where assignment_id = ?',
      [assignment.assignmentId],
    );
    expect(visits?.count).toBe(16);
    await waitFor(
      'it was continued',
      async () => (await runIdsOf(`assignment-${assignment.assignmentUuid}`)).size > 1,
    );
    await assignment.heard('open room');
  });

  it('keeps the order of deliveries', async () => {
    const chat = await workspace.openChat();
    for (let number = 1; number <= 8; number += 1) {
      await workspace.asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, {
        message: `message ${number}`,
      });
    }

    await chat.settled();

    expect(await chat.carried()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `message ${number}`));
    await waitFor('it was continued', async () => (await runIdsOf(`deliveries-${chat.chatUuid}`)).size > 1);
  });
});
