import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export type EnteredBy = 'agent' | 'member' | 'operator' | 'automatic';

export class AssignmentTaskVisitModel extends TenantModel {
  static override tableName = 'assignment_task_visits';
  static fields = [
    'id',
    'workspaceId',
    'assignmentId',
    'assignmentTaskId',
    'fromAssignmentTaskId',
    'requestUuid',
    'enteredBy',
    'actorMemberId',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<AssignmentTaskVisitModel>)[];

  declare assignmentId: number;
  declare assignmentTaskId: number;
  declare fromAssignmentTaskId: number | null;
  /** Minted by whoever asks; asking twice enters once. */
  declare requestUuid: string | null;
  declare enteredBy: EnteredBy;
  declare actorMemberId: number | null;
  declare createdAt: Date;
}

export type AssignmentTaskVisitRow = RowOf<AssignmentTaskVisitModel>;
