import { enterTask } from '../../assignments/machine/enter-task.js';
import { mayEnter } from '../../definitions/task-tree/transitions.js';
import { closed, type Tool } from './tool.js';
import { enteringAs, held, notActive, progressOf } from './walking.js';

/** Moves the assignment to one of the offered tasks. The guards apply as they do for any other caller. */
export const selectTask: Tool = {
  colleague: 'assignments:write',

  offer({ choices }) {
    if (choices.length === 0) return undefined;
    const lines = choices.map((choice) => `${choice.uuid}: ${choice.text}`);
    return {
      description: ['Go on to one of these tasks, when it fits what the member says:', ...lines].join('\n'),
      parameters: closed({
        task: {
          type: 'string',
          enum: choices.map((choice) => choice.uuid),
          description: 'The uuid of the task.',
        },
      }),
    };
  },

  async perform({ machine, task, context, performer }, input) {
    if (machine === undefined || context === undefined) return notActive;
    if (machine.isHeld) return held;
    const entry = mayEnter(machine.tree, String(input.task), { asChildOf: task }, context);
    if (!entry.allowed) return { ok: false, error: 'task_not_allowed', task: entry.task?.name ?? null };
    await enterTask(machine, entry.task, enteringAs(performer));
    return { ok: true, ...progressOf(machine) };
  },
};
