import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { percentile } from '../../../test/support/lib/statistics.js';
import { addAssignment } from '../../../test/support/workspace/factories.js';
import type { Figure } from '../figure.js';
import { ask } from '../support/ask.js';
import { durationOf } from '../support/durations.js';

const speaking = {
  taskType: 'conversation',
  prompt: 'Say "Hello."',
  abilities: [{ abilityType: 'handoff' }],
} satisfies Partial<RevisionTask>;
const rooms: RevisionTask = {
  ...speaking,
  name: 'Hall',
  children: [{ ...speaking, name: 'Room', choicePrompt: 'The room' }],
};

/** The time of a select followed by a cancel, which arrives during the turn that the select started. */
export const selectThenCancel: Figure = {
  name: 'select-then-cancel',
  title: 'PUT select, then POST cancel, p99',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage, { operations }) {
    const { workspace } = stage;
    const [api] = await Promise.all([stage.startApi(), stage.startWorker()]);
    const slowest = async (thenCancel: boolean): Promise<number> => {
      const durations: number[] = [];
      for (let done = 0; done < operations; done += 1) {
        const { assignment, tasks } = await addAssignment(workspace, { rootTask: rooms });
        const path = `/assignments/${assignment.id}`;
        const room = tasks.find(({ parentId }) => parentId !== null);
        const duration = await durationOf(async () => {
          await ask(stage, api, 'PUT', `${path}/tasks/${room?.id}/select`);
          if (thenCancel) await ask(stage, api, 'POST', `${path}/cancel`, { body: {} });
        });
        durations.push(duration);
      }
      return percentile(durations, 99);
    };
    return { floor: () => slowest(false), measured: () => slowest(true) };
  },
};
