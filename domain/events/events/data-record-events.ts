import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { EventType } from './event-types.js';
import type { NewEvent } from './write-events.js';

/** The types of the events that tell of an operation. */
export function dataRecordEventTypes(operation: 'created' | 'updated'): EventType[] {
  return [`data_record:${operation}`, 'data_record:changed'];
}

/** That a record was created or changed, both by the name of what was done and as `data_record:changed`. */
export function dataRecordEvents(
  type: Pick<DataTypeRow, 'slug'>,
  record: DataRecordRow,
  operation: 'created' | 'updated',
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
  return [
    { eventType: `data_record:${operation}`, payload: { dataRecord }, dataRecordId: record.id },
    { eventType: 'data_record:changed', payload: { operation, dataRecord }, dataRecordId: record.id },
  ];
}
