import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { type OwnTemporal, startOwnTemporal } from '../support/temporal/temporal.js';
import { beginInHall } from './small-trees.js';

let temporal: OwnTemporal;

beforeAll(async () => {
  // A server that suggests continue-as-new for short histories.
  temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=20']);
});
afterAll(() => temporal.stop());
const { system, workspace } = useSmsWorkspace(() => startSystem({ temporalAddress: temporal.address }));

function runIdsOf(workflowId: string): Promise<Set<string>> {
  return runIdsBy(`WorkflowId = '${workflowId}'`);
}

async function continued(workflowId: string): Promise<void> {
  await waitFor('it was continued', async () => (await runIdsOf(workflowId)).size > 1);
}

async function runIdsBy(query: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { runId } of system.client.workflow.list({ query })) ids.add(runId);
  return ids;
}

describe('continue-as-new of a run with a long history', () => {
  it('resumes in the same state', async () => {
    const assignment = await beginInHall(workspace);

    for (const number of [1, 2, 3, 4, 5, 6]) {
      await assignment.write(`hm ${number}`);
      await waitFor('it is answered', async () => (await assignment.said('assistant')).length === number + 1);
    }
    await Promise.all(
      Array.from({ length: 10 }, () => system.run('runAssignment', assignment.assignmentUuid).signal('poke')),
    );
    await assignment.write('the exit');

    await assignment.concluded('completed');
    await continued(`assignment-${assignment.assignmentUuid}`);
    expect(await assignment.said('user')).toHaveLength(7);
    expect(await assignment.said('assistant')).toHaveLength(7);
    await waitFor('each is found by what it is about', async () => {
      const all = await runIdsOf(`assignment-${assignment.assignmentUuid}`);
      const found = await runIdsBy(`AssignmentId = '${assignment.assignmentId}'`);
      return all.size > 1 && found.size === all.size;
    });
  });

  it('loses no concurrent select', async () => {
    const assignment = await beginInHall(workspace);

    const answers = await Promise.all(Array.from({ length: 15 }, () => assignment.select('Open')));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [visits] = await workspace.select<{ count: number }>(
      `select count(*)::int as count from assignment_timeline_entries where assignment_id = ? and kind = 'entered'`,
      [assignment.assignmentId],
    );
    expect(visits?.count).toBe(16);
    await continued(`assignment-${assignment.assignmentUuid}`);
    await assignment.heard('open room');
  });

  it('keeps the order of deliveries', async () => {
    const chat = await workspace.openChat();
    const messages = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `message ${number}`);
    for (const message of messages) await chat.post(message);

    await chat.settled();

    expect(await chat.carried()).toEqual(messages);
    await continued(`deliveries-${chat.chatUuid}`);
  });
});
