import { column, tenantTable } from '../../lib/table.js';

/** A page that is attached to an assignment. */
export class AssignmentPageModel extends tenantTable('assignment_pages', {
  assignmentId: column<number>(),
  pageId: column<number>(),
  attachedByMemberId: column<number>(),
  createdAt: column<Date>(),
}) {}
