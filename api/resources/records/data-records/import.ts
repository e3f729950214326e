import { importDataRecords } from '../../../../domain/records/data-records/import-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { csvFile } from '../../../http/uploads/uploaded-file.js';
import { DataRecordImportLine, ImportDataRecordsForm } from './import-schemas.js';

/** POST …/records/import: docs/import-export.md. */
export const importRecords = defineRoute({
  operationId: 'importDataRecords',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/import',
  tag: 'Data records',
  summary: 'Import data records from a CSV file',
  description:
    'Columns are slugs of fields, and `__id`, `__externalId`, and, for whose the record is, `__memberId`, `__memberEmail`, ' +
    '`__memberPhone` or `__memberExternalId`; none of them is required. A row changes the record that has its `__id` or ' +
    "`__externalId`, else, in a type that is no collection, the member's one record; else it makes a record. A file " +
    'that is no CSV, has other columns or more than 10,000 rows is refused before anything is written; a row that is ' +
    'refused is told of in the last line, and the others are written. Importing a file again changes nothing, except ' +
    'that rows of a collection that have neither `__id` nor `__externalId` make a record each time. A client that goes ' +
    "away leaves whole rows. Others' records, and an external id that one's own record does not have yet, need the " +
    'permission records:write or data:write:<slug>.',
  access: workspaceMember({ scope: 'data:write' }),
  consumes: 'multipart',
  file: csvFile,
  body: ImportDataRecordsForm,
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: DataRecordImportLine,
    description: 'How far it is, batch by batch; the last line tells what became of it all',
  },
  handler: async ({ context, params, body, file, signal }) =>
    importDataRecords(context, { dataTypeId: params.data_type_id, path: file.path, signal, ...body }),
});
