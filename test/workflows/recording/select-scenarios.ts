import { setTimeout as delay } from 'node:timers/promises';
import { lockChat } from '../../../db/conversations/chats.js';
import type { SmsAssignment, SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { TestSystem } from '../../support/system/system.js';
import { doors } from '../small-trees.js';
import type { Scenarios } from './scenario.js';

/** Assignments in which people select tasks, at moments of all kinds. */
export const selectScenarios: Scenarios = {
  'run-assignment-selected': async (_system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    for (const task of ['Locked', 'Open', 'Locked']) {
      await select(workspace, assignment, task);
    }
    await assignment.heard('locked room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected-in-a-burst': async (_system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        select(workspace, assignment, index % 2 === 0 ? 'Open' : 'Hall'),
      ),
    );
    await select(workspace, assignment, 'Open');
    await assignment.heard('You are in the open room.');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected-in-turn': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await system.model.script(
      [{ hold: true, content: 'still in the hall' }],
      assignment.texter.row.name ?? '',
    );
    await assignment.write('hello');
    await system.model.held();
    await select(workspace, assignment, 'Open');
    await system.model.release();
    await assignment.heard('open room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-with-slow-steps': async (system, workspace) => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    await assignment.settled();
    await whileLocked(system, workspace, assignment.chatId, 3_000, async () => {
      await select(workspace, assignment, 'Open');
    });
    await assignment.heard('open room');
    return `assignment-${assignment.assignmentUuid}`;
  },
};

async function select(workspace: SmsWorkspace, assignment: SmsAssignment, task: string): Promise<void> {
  const path = `/assignments/${assignment.assignmentId}/tasks/${await assignment.taskId(task)}/select`;
  await workspace.asAdmin('PUT', path);
}

/** Work while another transaction holds the chat: what needs its row has to wait. */
async function whileLocked(
  system: TestSystem,
  { workspaceId }: SmsWorkspace,
  chatId: number,
  ms: number,
  work: () => Promise<void>,
): Promise<void> {
  let working: Promise<void> | undefined;
  await system.database.inWorkspace(workspaceId, async (tx) => {
    await lockChat(tx, chatId);
    working = work();
    await delay(ms);
  });
  await working;
}
