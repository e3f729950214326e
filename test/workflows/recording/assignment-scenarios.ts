import { waitFor } from '../../support/lib/wait-for.js';
import { beginInHall, doors, talk } from '../small-trees.js';
import type { Scenarios } from './scenario.js';

/** Assignments that go to their end, or are ended. */
export const assignmentScenarios: Scenarios = {
  'run-assignment-completed': async (_system, workspace) => {
    const definitionId = await workspace.publish({
      ...talk('Start', 'Hello.'),
      children: [
        {
          name: 'Name',
          taskType: 'collect',
          choicePrompt: 'Go on',
          autoNext: true,
          prompt: 'Ask for it.',
          configuration: { dataTypeSlug: 'intake', fieldSlugs: ['reason'] },
        },
        { name: 'Thanks', taskType: 'message', autoNext: true, configuration: { text: 'Thank you.' } },
        { name: 'Later', taskType: 'wait', autoNext: true, configuration: { for: 'PT1S' } },
        { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } },
      ],
    });
    const assignment = await workspace.begin(definitionId);
    await assignment.heard('Hello.');
    await assignment.write('go on');
    await assignment.heard('Reason for the visit');
    await assignment.write('A sore knee');
    await assignment.concluded('completed');
    return `assignment-${assignment.assignmentUuid}`;
  },

  /** The turn brings the next step. */
  'run-assignment-answered': async (_system, workspace) => {
    const assignment = await beginInHall(workspace);
    await assignment.write('hm');
    await assignment.heard('I did not get that.');
    await workspace.asAdmin('POST', `/assignments/${assignment.assignmentId}/cancel`, {});
    await assignment.concluded('cancelled');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-cancelled-in-turn': async (system, workspace) => {
    const texter = await workspace.addTexter();
    await system.model.script([{ hold: true, content: 'too late' }], texter.row.name ?? '');
    const assignment = await workspace.begin(await workspace.publish(doors), texter);
    await system.model.held();
    const path = `/assignments/${assignment.assignmentId}/cancel`;
    await workspace.asAdmin('POST', path, {});
    await system.model.release();
    const run = system.run('runAssignment', assignment.assignmentUuid);
    await waitFor('the run ends', async () => (await run.describe()).status.name === 'CANCELLED');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-cancelled': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    await workspace.asAdmin('POST', `/assignments/${assignment.assignmentId}/cancel`, {});
    const run = system.run('runAssignment', assignment.assignmentUuid);
    await waitFor('the run ends', async () => (await run.describe()).status.name === 'CANCELLED');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-cancelled-in-temporal': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    await system.run('runAssignment', assignment.assignmentUuid).cancel();
    await assignment.concluded('cancelled');
    return `assignment-${assignment.assignmentUuid}`;
  },

  'run-assignment-continued-before-waiting': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    const run = system.run('runAssignment', assignment.assignmentUuid);
    const first = (await run.describe()).runId;
    await waitFor(
      'it is continued',
      async () => {
        const before = await run.describe();
        if (before.runId !== first) return true;
        await run.signal('poke');
        await waitFor('the poke was seen to', async () => {
          const { runId, historyLength } = await run.describe();
          return runId !== first || historyLength >= before.historyLength + 4;
        });
        return false;
      },
      120_000,
    );
    return `assignment-${assignment.assignmentUuid}`;
  },
};
