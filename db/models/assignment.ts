import { type RowOf, TenantModel } from './tenant-model.js';

export type AssignmentStatus = 'active' | 'completed' | 'cancelled' | 'failed';

export class AssignmentModel extends TenantModel {
  static override tableName = 'assignments';

  declare uuid: string;
  declare memberId: number;
  declare definitionId: number;
  declare revisionId: number;
  declare chatId: number;
  declare status: AssignmentStatus;
  declare outcome: string | null;
  declare outcomeReason: string | null;
  declare concludedAt: Date | null;
  /** The current `assignment_tasks` row. */
  declare currentTaskId: number | null;
  /** Steps taken in a row without a person or a timer. */
  declare automaticSteps: number;
  declare isTest: boolean;
  declare createdByMemberId: number | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type AssignmentRow = RowOf<AssignmentModel>;
