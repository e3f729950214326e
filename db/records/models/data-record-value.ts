import { column, tenantTable } from '../../lib/table.js';

/**
 * A value by which a record is found and sorted, in one of two columns; with neither, the record has no value of the field.
 * There are many rows, so they have no ids.
 */
export class DataRecordValueModel extends tenantTable(
  'data_record_values',
  {
    dataTypeId: column<number>(),
    recordId: column<number>(),
    retired: column<boolean>(),
    field: column<string>('configuration'),
    textValue: column<string | null>('personal'),
    numberValue: column<number | null>('personal'),
    isUnique: column<boolean>(),
  },
  ['workspaceId'],
) {}
