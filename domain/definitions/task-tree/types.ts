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

export interface TaskAbility {
  id: number;
  uuid: string;
  abilityType: string;
  config: Record<string, unknown>;
  enabled: boolean;
  celCondition: string | null;
}

/** A task of a revision: a row of `workflow_tasks` with its abilities. */
export interface TaskNode {
  id: number;
  uuid: string;
  parentId: number | null;
  name: string;
  taskType: TaskType;
  prompt: string | null;
  shortPrompt: string | null;
  choicePrompt: string | null;
  description: string | null;
  configuration: Record<string, unknown>;
  celGuard: string | null;
  celCondition: string | null;
  autoNext: boolean;
  required: boolean;
  order: number;
  abilities: readonly TaskAbility[];
}

export interface TaskTree {
  readonly root: TaskNode;
  readonly byId: ReadonlyMap<number, TaskNode>;
  readonly byUuid: ReadonlyMap<string, TaskNode>;
  /** Children by parent id, in order. */
  readonly children: ReadonlyMap<number, readonly TaskNode[]>;
}

/** The progress of an assignment in each task, by task id. */
export type TaskStates = ReadonlyMap<
  number,
  { assignmentTaskId: number; visitedAt: Date | null; completedAt: Date | null }
>;
