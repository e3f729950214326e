import { type RowOf, TenantModel } from './tenant-model.js';

export class DataRecordChangeModel extends TenantModel {
  static override tableName = 'data_record_changes';
  static override jsonAttributes = ['before', 'after'];

  declare recordId: number;
  declare operation: 'created' | 'updated' | 'retired';
  declare before: Record<string, unknown> | null;
  declare after: Record<string, unknown> | null;
  declare actorMemberId: number | null;
  declare createdAt: Date;
}

export type DataRecordChangeRow = RowOf<DataRecordChangeModel>;
