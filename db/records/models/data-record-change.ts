import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class DataRecordChangeModel extends TenantModel {
  static override tableName = 'data_record_changes';
  static override jsonAttributes = ['before', 'after'];
  static fields = [
    'id',
    'workspaceId',
    'recordId',
    'operation',
    'before',
    'after',
    'actorMemberId',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<DataRecordChangeModel>)[];

  declare recordId: number;
  declare operation: 'created' | 'updated' | 'retired' | 'restored';
  declare before: Record<string, unknown> | null;
  declare after: Record<string, unknown> | null;
  declare actorMemberId: number | null;
  declare createdAt: Date;
}

export type DataRecordChangeRow = RowOf<DataRecordChangeModel>;
