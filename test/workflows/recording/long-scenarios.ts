import { waitFor } from '../../support/lib/wait-for.js';
import { beginInHall } from '../small-trees.js';
import type { Scenarios } from './scenario.js';

/** Played on a server that thinks histories long which are not. */
export const longScenarios: Scenarios = {
  'run-assignment-continued-as-new': async (system, workspace) => {
    const assignment = await beginInHall(workspace);
    const runId = async () => {
      const { runId: id } = await system.run('runAssignment', assignment.assignmentUuid).describe();
      return id;
    };
    const first = await runId();
    await waitFor('it is continued', async () => {
      const before = (await assignment.said('assistant')).length;
      await assignment.write('hm');
      await waitFor('it is answered', async () => (await assignment.said('assistant')).length > before);
      return (await runId()) !== first;
    });
    return `assignment-${assignment.assignmentUuid}`;
  },
};
