import { column, tenantTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type AssignmentStatus = 'active' | 'completed' | 'cancelled' | 'failed';

export class AssignmentModel extends tenantTable('assignments', {
  uuid: column<string>(),
  memberId: column<number>(),
  definitionId: column<number>(),
  revisionId: column<number>(),
  chatId: column<number>(),
  status: column<AssignmentStatus>('code'),
  outcome: column<string | null>('personal'),
  outcomeReason: column<string | null>('personal'),
  concludedAt: column<Date | null>(),
  /** The current `assignment_tasks` row. */
  currentTaskId: column<number | null>(),
  /** Number of steps in a row without a person or a timer. */
  automaticSteps: column<number>(),
  isTest: column<boolean>(),
  createdByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type AssignmentRow = RowOf<AssignmentModel>;

export class AssignmentCancellationModel extends tenantTable('assignment_cancellations', {
  uuid: column<string>(),
  assignmentId: column<number>(),
  reason: column<string | null>('personal'),
  actorMemberId: column<number | null>(),
  createdAt: unread(),
}) {}
