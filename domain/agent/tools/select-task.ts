import { enterTask } from '../../assignments/machine/enter-task.js';
import { currentTask } from '../../assignments/machine/machine.js';
import { mayEnter } from '../../definitions/task-tree/may-enter.js';
import { enteringAs } from './performer.js';
import type { Tool } from './tool.js';

/** Moves the assignment to one of the offered tasks. The guards apply as they do for any other caller. */
export const selectChild: Tool = async ({ machine, task, context, performer }, input) => {
  if (machine === undefined || context === undefined) return { ok: false, error: 'assignment_not_active' };
  const entry = mayEnter(machine.tree, String(input.task), { asChildOf: task }, context);
  if (!entry.allowed) return { ok: false, error: 'task_not_allowed', task: entry.task?.name ?? null };
  await enterTask(machine, entry.task, enteringAs(performer));
  return { ok: true, currentTask: currentTask(machine).name, status: machine.assignment.status };
};
