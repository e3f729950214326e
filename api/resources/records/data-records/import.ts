import Type from 'typebox';
import { maxErrorsListed } from '../../../../domain/records/csv/import-tally.js';
import { importDataRecords } from '../../../../domain/records/data-records/transfer/import-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { blankCells, counts, fileOfFailed, importManner } from '../../../http/csv-imports.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { columnsPassedOver, Id } from '../../../http/schemas.js';
import { csvFile } from '../../../http/uploads/uploaded-file.js';

const ImportDataRecordsForm = Type.Object({
  memberId: Type.Optional(
    Type.Integer({
      ...Id,
      description: 'The member of records in rows that name no member; default: the caller',
    }),
  ),
  blankCells,
  ...importManner,
});

/** A line of the answer: progress after each batch of rows, and at the end the result for all rows. */
const DataRecordImportLine = Type.Union(
  [
    Type.Object({ type: Type.Literal('progress'), current: counts.total, ...counts }),
    Type.Object({
      type: Type.Literal('complete'),
      ...counts,
      errors: Type.Array(Type.String(), {
        description: `Error messages, each beginning with the row, such as \`Row 7:\`, for the first ${maxErrorsListed} rows that failed`,
      }),
      columnsPassedOver,
      failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
        description: 'All rows that failed. Rows are numbered as in a spreadsheet: the header is row 1',
      }),
      ...fileOfFailed,
    }),
  ],
  { $id: 'DataRecordImportLine' },
);

/** POST …/records/import: docs/import-export.md. */
export const importRecords = defineRoute({
  operationId: 'importDataRecords',
  audit: ['records:imported'],
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/import',
  tag: 'Data records',
  summary: 'Import data records from a CSV file',
  description:
    "Columns are slugs of fields, `__id`, `__externalId`, and, for the member of the record, `__memberId`, `__memberEmail`, `__memberPhone` or `__memberExternalId`; none of them is required. A row updates the record with its `__id` or `__externalId`; otherwise, if the type is not a collection, the member's record; otherwise it creates a record. A file that is not CSV, has no known column, a repeated or unnamed one, or more than 10,000 rows is refused before anything is written. Rows that fail are reported in the last line, and the others are written. With dryRun nothing is written. Importing a file again changes nothing, except that in a collection a row without `__id` and `__externalId` creates a record each time. If the client disconnects, every row is written completely or not at all. Records of other members, and setting an external id on the caller's own record, need the permission records:write or data:write:<slug>.",
  access: workspaceMember({ scope: 'data:write' }),
  consumes: 'multipart',
  file: csvFile,
  body: ImportDataRecordsForm,
  example: {
    file: '__externalId,reason,status,day\nvisit-20,Cough,planned,2030-06-01\nvisit-21,Back pain,planned,2030-06-02\n',
    body: { memberId: demo.memberId },
  },
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: DataRecordImportLine,
    description: 'Progress after each batch of rows; the last line has the result',
  },
  handler: async ({ context, params, body, file, signal }) =>
    importDataRecords(context, { dataTypeId: params.data_type_id, path: file.path, signal, ...body }),
});
