import { TenantModel } from '../../lib/tenant-model.js';

export class AssignmentCancellationModel extends TenantModel {
  static override tableName = 'assignment_cancellations';

  declare uuid: string;
  declare assignmentId: number;
  declare reason: string | null;
  declare actorMemberId: number | null;
}
