import { column, tenantTable } from '../../lib/tenant-table.js';

export class AssignmentCancellationModel extends tenantTable('assignment_cancellations', {
  uuid: column<string>(),
  assignmentId: column<number>(),
  reason: column<string | null>(),
  actorMemberId: column<number | null>(),
}) {}
