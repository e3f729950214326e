import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { NewEvent } from './write-events.js';

type Operation = 'created' | 'updated';

/** The types of the events that report an operation. */
export function dataRecordEventTypes(
  operation: Operation,
): [`data_record:${Operation}`, 'data_record:changed'] {
  return [`data_record:${operation}`, 'data_record:changed'];
}

/** The events for a created or changed record: one for the operation, and `data_record:changed`. */
export function dataRecordEvents(
  type: Pick<DataTypeRow, 'slug'>,
  record: DataRecordRow,
  operation: Operation,
): NewEvent[] {
  const dataRecord = {
    id: record.id,
    uuid: record.uuid,
    dataTypeId: record.dataTypeId,
    dataTypeSlug: type.slug,
    memberId: record.memberId,
    externalId: record.externalId,
    fields: record.fieldValues,
    accessMode: record.accessMode ?? 0,
    retiredAt: record.retiredAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
  const [named, changed] = dataRecordEventTypes(operation);
  return [
    { eventType: named, payload: { dataRecord }, dataRecordId: record.id },
    { eventType: changed, payload: { operation, dataRecord }, dataRecordId: record.id },
  ];
}
