import type { AfterCall, TaskType } from '../../../domain/definitions/task-tree/task-types.js';
import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A task of a revision's tree. Its uuid identifies it across revisions, and is unique within one. */
export class WorkflowTaskModel extends tenantTable('workflow_tasks', {
  uuid: column<string>(),
  revisionId: column<number>(),
  parentId: column<number | null>(),
  name: column<string>(),
  taskType: column<TaskType>(),
  prompt: column<string | null>(),
  shortPrompt: column<string | null>(),
  choicePrompt: column<string | null>(),
  description: column<string | null>(),
  configuration: json<Record<string, unknown>>(),
  celGuard: column<string | null>(),
  celCondition: column<string | null>(),
  /** Null: as in the task above. */
  afterCall: column<AfterCall | null>(),
  /** Null: as in the task above. */
  realtimeModelConfig: json<Record<string, unknown> | null>(),
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
  abilityType: column<string>(),
  config: json<Record<string, unknown>>(),
  enabled: column<boolean>(),
  celCondition: column<string | null>(),
}) {}

export type WorkflowTaskAbilityRow = RowOf<WorkflowTaskAbilityModel>;
