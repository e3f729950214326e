import type { FieldDefinition } from '../../../domain/records/field-values.js';
import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class DataTypeModel extends tenantTable('data_types', {
  uuid: column<string>(),
  name: column<string>('configuration'),
  slug: column<string>('code'),
  isCollection: column<boolean>(),
  fields: json<FieldDefinition[]>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type DataTypeRow = RowOf<DataTypeModel>;
