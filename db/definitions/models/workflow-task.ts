import type { TaskType } from '../../../domain/definitions/task-tree/types.js';
import type { RowOf } from '../../lib/tenant-model.js';
import { column, json, tenantTable } from '../../lib/tenant-table.js';

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
  autoNext: column<boolean>(),
  required: column<boolean>(),
  sortOrder: column<number>(),
  createdAt: column<Date>(),
}) {}

export type WorkflowTaskRow = RowOf<WorkflowTaskModel>;
