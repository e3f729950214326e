import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { addAssignment } from '../../../test/support/workspace/factories.js';
import type { Figure } from '../figure.js';
import { ask } from '../support/ask.js';
import { medianDuration } from '../support/durations.js';
import { startFloorRun } from '../support/floor-worker.js';
import { waitingTasks } from './waiting-tasks.js';

export const selectTask: Figure = {
  name: 'select-task',
  title: 'PUT select, p50',
  unit: 'ms',
  target: { ratioAtMost: 1.3 },
  async prepare(stage, { operations }) {
    const { workspace, database } = stage;
    const { assignment, tasks } = await addAssignment(workspace, { rootTask: waitingTasks });
    const [api] = await Promise.all([
      stage.startApi(),
      stage.startWorker(),
      stage.startScript(new URL('./floor.ts', import.meta.url)),
    ]);
    const bare = await startFloorRun(stage, assignment.chatId);
    const rows = await database.inWorkspace(workspace.workspaceId, (tx) =>
      selectAssignmentTasks(tx, assignment.id),
    );
    const targets = rows.filter(({ parentId }) => parentId !== null).map(({ id }) => id);
    let selected = 0;
    return {
      floor: () =>
        medianDuration(operations, async () => {
          await bare.executeUpdate('select', { args: [] });
        }),
      measured: () =>
        medianDuration(operations, () => {
          selected += 1;
          const taskId = targets[selected % targets.length] ?? tasks[0]?.id;
          return ask(stage, api, 'PUT', `/assignments/${assignment.id}/tasks/${taskId}/select`);
        }),
    };
  },
};
