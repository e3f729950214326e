import type { Entering } from '../../assignments/machine/effect.js';
import { currentTask, type Machine } from '../../assignments/machine/machine.js';
import type { Performer } from '../performer.js';
import type { ToolResult } from './tool-result.js';

export const notActive: ToolResult = { ok: false, error: 'assignment_not_active' };
export const held: ToolResult = { ok: false, error: 'workflow_held' };

/** Attributes the entry or completion of a task to the performer of a tool call. */
export function enteringAs({ by, memberId, inTurn }: Performer): Entering {
  return by === 'operator' && memberId !== null ? { by, actorMemberId: memberId, inTurn } : { by, inTurn };
}

/** What the model is told of where the assignment is now. */
export function progressOf(machine: Machine): { currentTask: string; status: string } {
  return { currentTask: currentTask(machine).name, status: machine.assignment.status };
}
