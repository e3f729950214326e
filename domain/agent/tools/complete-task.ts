import { completeTask as complete } from '../../assignments/machine/enter-task.js';
import type { Tool } from './tool.js';
import { enteringAs, held, notActive, progressOf } from './walking.js';

/** Reports that a conversation has reached its aim, so that the assignment continues by itself. */
export const completeTask: Tool = {
  colleague: 'assignments:write',

  offer({ task, choices }) {
    const isTalk = task.taskType === 'conversation' || task.taskType === 'call';
    if (choices.length > 0 || !isTalk || !task.autoNext) return undefined;
    return {
      description: 'Say that the aim of the current task is reached, and go on to the next one.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    };
  },

  async perform({ machine, task, performer }) {
    if (machine === undefined) return notActive;
    if (machine.isHeld) return held;
    await complete(machine, task, enteringAs(performer));
    return { ok: true, ...progressOf(machine) };
  },
};
