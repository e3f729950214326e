import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class AssignmentTaskModel extends TenantModel {
  static override tableName = 'assignment_tasks';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'assignmentId',
    'taskId',
    'parentId',
    'visitedAt',
    'completedAt',
    'dueAt',
    'messageId',
    'enteredAfterMessageId',
  ] as const satisfies readonly (keyof RowOf<AssignmentTaskModel>)[];

  declare uuid: string;
  declare assignmentId: number;
  /** The `workflow_tasks` row that this task is an instance of. */
  declare taskId: number;
  declare parentId: number | null;
  declare visitedAt: Date | null;
  declare completedAt: Date | null;
  /** When a wait ends. */
  declare dueAt: Date | null;
  /** The message that a message task sent. */
  declare messageId: number | null;
  /** The chat's last message at entry: a later message of the member is a reply. */
  declare enteredAfterMessageId: number | null;
}

export type AssignmentTaskRow = RowOf<AssignmentTaskModel>;
