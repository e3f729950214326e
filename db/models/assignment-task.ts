import { type RowOf, TenantModel } from './tenant-model.js';

export class AssignmentTaskModel extends TenantModel {
  static override tableName = 'assignment_tasks';

  declare uuid: string;
  declare assignmentId: number;
  /** The `workflow_tasks` row this stands for. */
  declare taskId: number;
  declare parentId: number | null;
  declare visitedAt: Date | null;
  declare completedAt: Date | null;
  /** When a wait is over. */
  declare dueAt: Date | null;
  /** The message a message task sent. */
  declare messageId: number | null;
  /** The chat's last message at entry: a later one of the member is a reply. */
  declare enteredAfterMessageId: number | null;
}

export type AssignmentTaskRow = RowOf<AssignmentTaskModel>;
