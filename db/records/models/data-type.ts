import type { FieldDefinition } from '../../../domain/records/field-values.js';
import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class DataTypeModel extends TenantModel {
  static override tableName = 'data_types';
  static override jsonAttributes = ['fields'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'name',
    'slug',
    'isCollection',
    'fields',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<DataTypeModel>)[];

  declare uuid: string;
  declare name: string;
  declare slug: string;
  declare isCollection: boolean;
  declare fields: FieldDefinition[];
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type DataTypeRow = RowOf<DataTypeModel>;
