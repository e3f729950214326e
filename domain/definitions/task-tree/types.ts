import type { WorkflowTaskAbilityRow, WorkflowTaskRow } from '../../../db/definitions/workflow-tasks.js';

/** The task types, which determine what a task does on entry. */
export const taskTypes = [
  'conversation',
  'collect',
  'message',
  'wait',
  'decision',
  'call',
  'handoff',
  'conclude',
] as const;
export type TaskType = (typeof taskTypes)[number];

/** How what is owed when a call ends goes on: by text, or by a person. */
export const afterCallValues = ['text', 'stand'] as const;
export type AfterCall = (typeof afterCallValues)[number];

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
