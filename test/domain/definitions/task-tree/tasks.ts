import { buildTaskTree } from '../../../../domain/definitions/task-tree/tree.js';
import type { TaskAbility, TaskNode, TaskTree } from '../../../../domain/definitions/task-tree/types.js';

/** A tree written as nested objects; ids count up from 1, uuids are `uuid-<name>`. */
export interface Sketch extends Partial<Omit<TaskNode, 'id' | 'uuid' | 'parentId' | 'order' | 'abilities'>> {
  name: string;
  abilities?: Partial<TaskAbility>[];
  children?: Sketch[];
}

export function taskTree(root: Sketch): TaskTree {
  return buildTaskTree(taskNodes(root));
}

export function taskNodes(root: Sketch): TaskNode[] {
  const nodes: TaskNode[] = [];
  const add = ({ children, abilities, ...sketch }: Sketch, parentId: number | null, order: number): void => {
    const id = nodes.length + 1;
    nodes.push({
      taskType: 'conversation',
      prompt: null,
      shortPrompt: null,
      choicePrompt: null,
      description: null,
      configuration: {},
      celGuard: null,
      celCondition: null,
      afterCall: null,
      realtimeModelConfig: null,
      autoNext: false,
      required: false,
      ...sketch,
      abilities: (abilities ?? []).map((ability, index) => ({
        id: index + 1,
        uuid: `uuid-${sketch.name}-${index}`,
        abilityType: 'handoff',
        config: {},
        enabled: true,
        celCondition: null,
        ...ability,
      })),
      id,
      uuid: `uuid-${sketch.name}`,
      parentId,
      order,
    });
    for (const [index, child] of (children ?? []).entries()) add(child, id, index);
  };
  add(root, null, 0);
  return nodes;
}

/** The task of that name. */
export function named(tree: TaskTree, name: string): TaskNode {
  const task = tree.byUuid.get(`uuid-${name}`);
  if (!task) throw new Error(`no task ${name}`);
  return task;
}
