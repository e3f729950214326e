import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type WaitEnd = 'time' | 'time_limit' | 'condition' | 'event' | 'reply';

export class AssignmentTaskModel extends tenantTable('assignment_tasks', {
  uuid: column<string>(),
  assignmentId: column<number>(),
  /** The `workflow_tasks` row that this task is an instance of. */
  taskId: column<number>(),
  parentId: column<number | null>(),
  visitedAt: column<Date | null>(),
  completedAt: column<Date | null>(),
  /** When a wait ends at the latest. */
  dueAt: column<Date | null>(),
  /** The message that a message task sent. */
  messageId: column<number | null>(),
  /** The chat's last message at entry: a later message of the member is a reply. */
  enteredAfterMessageId: column<number | null>(),
  /** How a wait ended; `time_limit`: before what it waited for came. */
  endedBy: column<WaitEnd | null>('code'),
  /** What a wait for an event had seen of such events at its entry; the newest record of an earlier visit of a collect. */
  eventMark: column<number | null>(),
}) {}

export type AssignmentTaskRow = RowOf<AssignmentTaskModel>;
