import type { AfterCall, TaskType } from '../../../domain/definitions/task-tree/task-types.js';
import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A task of a revision's tree. Its uuid identifies it across revisions, and is unique within one. */
export class WorkflowTaskModel extends tenantTable('workflow_tasks', {
  uuid: column<string>(),
  revisionId: column<number>(),
  parentId: column<number | null>(),
  name: column<string>('configuration'),
  taskType: column<TaskType>('code'),
  prompt: column<string | null>('configuration'),
  shortPrompt: column<string | null>('configuration'),
  choicePrompt: column<string | null>('configuration'),
  description: column<string | null>('configuration'),
  configuration: json<Record<string, unknown>>('configuration'),
  celGuard: column<string | null>('configuration'),
  celCondition: column<string | null>('configuration'),
  /** Null: as in the task above. */
  afterCall: column<AfterCall | null>('code'),
  /** Null: as in the task above. */
  realtimeModelConfig: json<Record<string, unknown> | null>('configuration'),
  autoNext: column<boolean>(),
  required: column<boolean>(),
  sortOrder: column<number>(),
  createdAt: column<Date>(),
}) {}

export type WorkflowTaskRow = RowOf<WorkflowTaskModel>;

/** An ability of the agent in a task and, by inheritance, in the tasks below it. */
export class WorkflowTaskAbilityModel extends tenantTable('workflow_task_abilities', {
  uuid: column<string>(),
  taskId: column<number>(),
  abilityType: column<string>('code'),
  config: json<Record<string, unknown>>('configuration'),
  enabled: column<boolean>(),
  celCondition: column<string | null>('configuration'),
}) {}

export type WorkflowTaskAbilityRow = RowOf<WorkflowTaskAbilityModel>;
