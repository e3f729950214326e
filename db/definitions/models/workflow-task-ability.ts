import type { RowOf } from '../../lib/tenant-model.js';
import { column, json, tenantTable } from '../../lib/tenant-table.js';

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
