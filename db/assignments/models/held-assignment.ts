import { column, tenantTable } from '../../lib/table.js';

/** An assignment whose run has to be poked after the resumption of its definition. */
export class HeldAssignmentModel extends tenantTable('held_assignments', {
  definitionId: column<number>(),
  assignmentId: column<number>(),
}) {}
