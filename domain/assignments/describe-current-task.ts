import type { AssignmentTaskRow } from '../../db/assignments/assignment-tasks.js';
import { inheritedAbilities } from '../definitions/task-tree/inherited-abilities.js';
import { childrenOf, parentOf } from '../definitions/task-tree/relatives.js';
import type { TaskAbility, TaskNode } from '../definitions/task-tree/types.js';
import type { Actor } from '../kernel/actor.js';
import type { CommandContext } from '../kernel/context.js';
import type { CelContext } from '../lib/cel.js';
import { renderTemplate } from '../lib/template.js';
import { seesData } from './assignment-view.js';
import { celContextOf } from './machine/cel-context.js';
import { currentTask, type Machine, rowOf } from './machine/machine.js';
import { readMachine } from './read-machine.js';

/** A task of an assignment: what the definition says, and how far it came. */
export interface PlacedTask {
  task: TaskNode;
  row: AssignmentTaskRow;
}

export interface CurrentTask extends PlacedTask {
  assignmentId: number;
  renderedPrompt: string | null;
  /** Declared above it and in force here. */
  inheritedAbilities: TaskAbility[];
  children: PlacedTask[];
  parent: PlacedTask | null;
}

/**
 * The task an assignment stands in, as an operator wants to see it; the member's records are in the prompt only for
 * those who may read them.
 *
 * @throws NotFound, Forbidden
 */
export async function describeCurrentTask(
  context: CommandContext,
  assignmentId: number,
): Promise<CurrentTask> {
  return readMachine(context, assignmentId, async (machine) => {
    const place = (task: TaskNode): PlacedTask => ({ task, row: rowOf(machine, task) });
    const task = currentTask(machine);
    const parent = parentOf(machine.tree, task);
    const seen = await celContextOf(machine);
    const shown = await shownTo(context.actor, machine, seen);
    return {
      ...place(task),
      assignmentId,
      renderedPrompt: task.prompt === null ? null : renderTemplate(task.prompt, shown, 'plain').text,
      inheritedAbilities: inheritedAbilities(machine.tree, task, seen)
        .filter(({ task: owner }) => owner.id !== task.id)
        .map(({ ability }) => ability),
      children: childrenOf(machine.tree, task).map(place),
      parent: parent === null ? null : place(parent),
    };
  });
}

/** What the prompt is rendered with: as much of what the agent sees as the actor sees as well. */
async function shownTo(actor: Actor, machine: Machine, seen: CelContext): Promise<CelContext> {
  if (!seesData(actor, machine.assignment)) return celContextOf(machine, 'none');
  return actor.can('data:read') ? seen : celContextOf(machine, 'shown');
}
