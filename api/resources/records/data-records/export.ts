import Type from 'typebox';
import { exportDataRecords } from '../../../../domain/records/data-records/transfer/export-data-records.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { neutralize } from '../../../http/schemas.js';
import { DataRecordFilters, filterOf } from './list.js';

const shared = {
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/export',
  tag: 'Data records',
  summary: 'Export data records as a CSV file',
  description:
    "Contains the records of the list with the same filters, without retired ones, in order of id, with a column for each field and `__id`, `__externalId` and `__memberId`. The file can be imported unchanged: a text that a spreadsheet would run as a formula is prefixed with an apostrophe, which the import removes, unless neutralize is false. Without the permission data:read or data:read:<slug>, it contains only the records that the caller's list contains.",
  access: workspaceMember({ scope: 'data:read' }),
  response: { status: 200, stream: 'text/csv', description: 'The file; it is cut off if an error occurs' },
} as const;

const ExportFilter = Type.Object({ ...DataRecordFilters.properties, neutralize });

/** GET and POST …/records/export: docs/import-export.md. */
export const exportRoutes = [
  defineRoute({
    ...shared,
    operationId: 'exportDataRecords',
    audit: ['records:exported'],
    method: 'GET',
    query: ExportFilter,
    handler: async ({ context, params, query: { neutralize, ...filter } }) =>
      exportDataRecords(context, params.data_type_id, filterOf(filter), { neutralize }),
  }),
  defineRoute({
    ...shared,
    operationId: 'exportFilteredDataRecords',
    audit: ['records:exported'],
    example: { body: { filter: ['status:eq:planned'] } },
    method: 'POST',
    body: ExportFilter,
    handler: async ({ context, params, body: { neutralize, ...filter } }) =>
      exportDataRecords(context, params.data_type_id, filterOf(filter), { neutralize }),
  }),
];
