import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { DataTypeResponse } from './schemas.js';

export function presentDataType(row: DataTypeRow): DataTypeResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    slug: row.slug,
    isCollection: row.isCollection,
    fields: row.fields as DataTypeResponse['fields'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
