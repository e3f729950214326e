import type { WorkflowTaskAbilityRow, WorkflowTaskRow } from '../../../db/definitions/workflow-tasks.js';

export type TaskAbility = Omit<WorkflowTaskAbilityRow, 'workspaceId' | 'taskId'>;

/** A task of a revision with its abilities, as the pure rules use it. */
export interface TaskNode
  extends Omit<WorkflowTaskRow, 'workspaceId' | 'revisionId' | 'createdAt' | 'abilities'> {
  abilities: readonly TaskAbility[];
}

export interface TaskTree {
  readonly root: TaskNode;
  readonly byId: ReadonlyMap<number, TaskNode>;
  readonly byUuid: ReadonlyMap<string, TaskNode>;
  /** Children by parent id, in order. */
  readonly children: ReadonlyMap<number, readonly TaskNode[]>;
}
