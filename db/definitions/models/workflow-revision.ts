import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A draft until `publishedAt` is set; frozen from then on. */
export class WorkflowRevisionModel extends tenantTable('workflow_revisions', {
  uuid: column<string>(),
  definitionId: column<number>(),
  number: column<number>(),
  name: column<string>('configuration'),
  publishedAt: column<Date | null>(),
  publishedByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type WorkflowRevisionRow = RowOf<WorkflowRevisionModel>;
