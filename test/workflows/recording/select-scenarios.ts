import { setTimeout as delay } from 'node:timers/promises';
import { lockChat } from '../../../db/conversations/chats.js';
import type { SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { TestSystem } from '../../support/system/system.js';
import { beginInHall } from '../small-trees.js';
import type { Scenarios } from './scenario.js';

/** Assignments in which people select tasks, at moments of all kinds. */
export const selectScenarios: Scenarios = {
  'run-assignment-selected': async (_system, workspace) => {
    const assignment = await beginInHall(workspace);
    for (const task of ['Locked', 'Open', 'Locked']) await assignment.select(task);
    await assignment.heard('locked room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected-in-a-burst': async (_system, workspace) => {
    const assignment = await beginInHall(workspace);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => assignment.select(index % 2 === 0 ? 'Open' : 'Hall')),
    );
    await assignment.select('Open');
    await assignment.heard('You are in the open room.');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-selected-in-turn': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    const name = assignment.texter.row.name ?? '';
    await system.model.script([{ hold: true, content: 'still in the hall' }], name);
    await assignment.write('hello');
    await system.model.held();
    await assignment.select('Open');
    await system.model.release();
    await assignment.heard('open room');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-with-slow-steps': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    await assignment.settled();
    await whileLocked(system, workspace, assignment.chatId, 3_000, () => assignment.select('Open'));
    await assignment.heard('open room');
    return `assignment-${assignment.assignmentUuid}`;
  },
};

/** Work while another transaction holds the chat: what needs its row has to wait. */
async function whileLocked(
  system: TestSystem,
  { workspaceId }: SmsWorkspace,
  chatId: number,
  ms: number,
  work: () => Promise<unknown>,
): Promise<void> {
  let working: Promise<unknown> | undefined;
  await system.database.inWorkspace(workspaceId, async (tx) => {
    await lockChat(tx, chatId);
    working = work();
    await delay(ms);
  });
  await working;
}
