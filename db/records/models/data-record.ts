import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class DataRecordModel extends TenantModel {
  static override tableName = 'data_records';
  static override jsonAttributes = ['fieldValues'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'dataTypeId',
    'memberId',
    'isSingle',
    'externalId',
    'fieldValues',
    'accessMode',
    'assignmentTaskId',
    'retiredAt',
    'retiredByMemberId',
    'retiredReason',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<DataRecordModel>)[];

  declare uuid: string;
  declare dataTypeId: number;
  declare memberId: number;
  /** Copy of the type's `isCollection = false`, for the unique index that allows one record per member. */
  declare isSingle: boolean;
  declare externalId: string | null;
  declare fieldValues: Record<string, unknown>;
  /** Who may read and change it besides those with a permission: domain/records/data-records/record-access.ts. */
  declare accessMode: number;
  declare assignmentTaskId: number | null;
  declare retiredAt: Date | null;
  declare retiredByMemberId: number | null;
  declare retiredReason: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type DataRecordRow = RowOf<DataRecordModel>;
