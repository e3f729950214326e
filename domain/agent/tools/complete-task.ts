import { completeTask } from '../../assignments/machine/enter-task.js';
import { currentTask } from '../../assignments/machine/machine.js';
import { enteringAs } from './performer.js';
import type { Tool } from './tool.js';

/** Completes the current task, after which the assignment continues automatically. */
export const completeCurrentTask: Tool = async ({ machine, task, performer }) => {
  if (machine === undefined) return { ok: false, error: 'assignment_not_active' };
  await completeTask(machine, task, enteringAs(performer));
  return { ok: true, currentTask: currentTask(machine).name, status: machine.assignment.status };
};
