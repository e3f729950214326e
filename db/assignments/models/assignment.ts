import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export type AssignmentStatus = 'active' | 'completed' | 'cancelled' | 'failed';

export class AssignmentModel extends TenantModel {
  static override tableName = 'assignments';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'memberId',
    'definitionId',
    'revisionId',
    'chatId',
    'status',
    'outcome',
    'outcomeReason',
    'concludedAt',
    'currentTaskId',
    'automaticSteps',
    'isTest',
    'createdByMemberId',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<AssignmentModel>)[];

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
  /** Number of steps in a row without a person or a timer. */
  declare automaticSteps: number;
  declare isTest: boolean;
  declare createdByMemberId: number | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type AssignmentRow = RowOf<AssignmentModel>;
