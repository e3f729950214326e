import Type from 'typebox';
import { previewCsv } from '../../../../domain/records/csv/preview-csv.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { OneOf } from '../../../http/schemas.js';
import { csvFile } from '../../../http/uploads/uploaded-file.js';

const CsvPreviewResponse = Type.Object(
  {
    encoding: OneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'], {
      description: 'What the file is read in; windows-1252 has to be named to the import',
    }),
    separator: OneOf([',', ';', '\t'], { description: 'What stands between the cells of a row' }),
    columns: Type.Array(Type.String(), { description: 'The names of the columns, as the file has them' }),
    rows: Type.Array(Type.Array(Type.String()), {
      description: 'The first five rows, with the first 100 characters of each cell',
    }),
    total: Type.Integer({ minimum: 0, description: 'Number of rows, without the names of the columns' }),
  },
  { $id: 'CsvPreviewResponse' },
);

const preview = defineRoute({
  operationId: 'previewCsvFile',
  audit: { not: 'writes and reads nothing of the workspace' },
  method: 'POST',
  path: '/w/{workspace_uuid}/csv-files/preview',
  tag: 'Data records',
  summary: 'See how a CSV file would be imported',
  description:
    'Says how an import of members or data records would read the file: encoding, separator, columns and first rows. Nothing is stored. The columns need not be known: the field columns of the import says what they are.',
  access: workspaceMember({ scope: 'workspace:read' }),
  consumes: 'multipart',
  file: csvFile,
  body: Type.Object({}),
  example: { file: 'Visit;Reason\nvisit-20;Cough\n', body: {} },
  response: { status: 200, schema: CsvPreviewResponse },
  handler: async ({ file }) => previewCsv(file.path),
});

export const csvFileRoutes = [preview];
