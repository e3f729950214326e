import Type from 'typebox';
import { followMemberImport } from '../../../../domain/people/imports/follow-import.js';
import { requestMemberImport } from '../../../../domain/people/imports/request-import.js';
import { memberColumns } from '../../../../domain/people/members/transfer/csv-columns.js';
import { exportMembers } from '../../../../domain/people/members/transfer/export-members.js';
import { importMembers } from '../../../../domain/people/members/transfer/import-members.js';
import { maxErrorsListed } from '../../../../domain/records/csv/import-tally.js';
import { workspaceMember } from '../../../http/access.js';
import { blankCells, counts, fileOfFailed, importManner } from '../../../http/csv-imports.js';
import { defineRoute } from '../../../http/define-route.js';
import { columnsPassedOver, Id, neutralize } from '../../../http/schemas.js';
import { csvFile } from '../../../http/uploads/uploaded-file.js';
import { fileStorageOf } from '../../files/upload.js';
import { memberFilter } from './filter.js';
import { memberFilters } from './schemas.js';

const ImportMembersForm = Type.Object({
  newMemberRoleId: Type.Optional(
    Type.Integer({
      ...Id,
      description: 'The role of new members; by default the first role that is not an admin role',
    }),
  ),
  blankCells,
});

const MemberImportProgress = Type.Object(
  {
    type: Type.Literal('progress'),
    current: Type.Integer({ minimum: 0, description: 'Number of rows processed' }),
    ...counts,
  },
  { $id: 'MemberImportProgress' },
);

const MemberImportResult = Type.Object(
  {
    type: Type.Literal('complete'),
    ...counts,
    errors: Type.Array(Type.String(), {
      description: `Error messages, each beginning with the row, such as \`Row 7: email: …\`, for the first ${maxErrorsListed} rows that failed`,
    }),
    failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
      description: 'All rows that failed. Rows are numbered as in a spreadsheet: the header is row 1',
    }),
    ...fileOfFailed,
    columnsPassedOver,
    createdMembers: Type.Array(Id, { description: 'New members, in the order of their rows' }),
    updatedMembers: Type.Array(Id, {
      description: 'Existing members that were changed, or whose records were',
    }),
  },
  { $id: 'MemberImportResult' },
);

/** A line of the answer: progress after each batch of rows, and at the end the result for all rows. */
const MemberImportLine = Type.Union([MemberImportProgress, MemberImportResult], { $id: 'MemberImportLine' });

const { kind: _kind, ...filters } = memberFilters;

/** Filters of an export of members, as of the list; exports contain people only. */
const ExportMembersFilter = Type.Object({ ...filters, neutralize });

const imported = {
  operationId: 'importMembers',
  audit: ['members:imported', 'member_import:requested'],
  method: 'POST',
  path: '/w/{workspace_uuid}/members/import',
  tag: 'Members',
  summary: 'Import members from a CSV file',
  description: `Columns: ${[...memberColumns.keys()].map((column) => `\`${column}\``).join(', ')}, and
\`form.<data type>.<field>\` for data types with one record per member. Dates are YYYY-MM-DD, labels are slugs separated
by commas, notifications are true or false, 1 or 0. The file, and each row, needs at least one of email, phone and
external_id.

A row updates the member with its email or phone number; if there is none, the one with its external id; otherwise it
creates a member. Two rows about the same person are applied in order. A row fails if its email and phone belong to two
different members, or if it would take an identifier from another member. The labels of a row replace all labels of the
member; \`""\` removes them all. A blank cell keeps the present value, unless \`blankCells\` says otherwise; blank true/false
cells always keep it. Existing members keep their roles, and a member whose role has permissions that the caller lacks
is not changed.

A file that is not CSV, has no known column, a repeated or unnamed one, or more than 10,000 rows is refused before
anything is written. Rows that fail are reported in the last line, and the others are written, each together with its
labels and records; with dryRun, nothing is written. If the client disconnects, every row is written completely or not at all; importing the
file again is safe.

Columns of data types need the permission records:write or data:write:<slug>.`,
  access: workspaceMember({ scope: 'members:write', permission: 'members:write' }),
  consumes: 'multipart',
  body: ImportMembersForm,
  example: {
    file: 'name,external_id,labels\nAda Sample,patient-2,new-patient\nBo Sample,patient-3,\n',
    body: { blankCells: 'keep' },
  },
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: MemberImportLine,
    description: 'Progress after each batch of rows; the last line has the result',
  },
} as const;

/** POST W/members/import (specification, member import). */
export const importRoute = defineRoute({
  ...imported,
  body: Type.Object({ ...ImportMembersForm.properties, ...importManner }),
  file: csvFile,
  handler: async ({ context, body, file, signal }) =>
    importMembers(context, { ...body, path: file.path, signal }),
});

/**
 * The same import as AI clients have it. A run carries it out, which goes on when nobody waits for it; a repetition of the
 * request finds that run.
 */
export const awaitedImportRoute = defineRoute({
  ...imported,
  file: { ...csvFile, kept: true },
  idempotent: 'by_run',
  async handler({ context, services, body, file, requestUuid, signal, begun }) {
    await requestMemberImport(context, fileStorageOf(services), { ...body, requestUuid, spooled: file });
    begun?.();
    return followMemberImport(context, requestUuid, signal);
  },
});

const shared = {
  path: '/w/{workspace_uuid}/members/export',
  tag: 'Members',
  description:
    "Contains people only, with the same filters as the list, in order of id. The columns are those of the import: the member's own, and `form.<data type>.<field>` for data types with one record per member that the caller may read for all members. The file can be imported unchanged: a text that a spreadsheet would run as a formula is prefixed with an apostrophe, which the import removes, unless neutralize is false.",
  access: workspaceMember({ scope: 'members:read', permission: 'members:read' }),
  response: { status: 200, stream: 'text/csv', description: 'The file; it is cut off if an error occurs' },
} as const;

export const exportRoutes = [
  defineRoute({
    ...shared,
    operationId: 'exportMembers',
    audit: ['members:exported'],
    method: 'GET',
    summary: 'Export members as a CSV file',
    query: ExportMembersFilter,
    handler: async ({ context, query: { neutralize, ...filter } }) =>
      exportMembers(context, memberFilter(filter), { neutralize }),
  }),
  defineRoute({
    ...shared,
    operationId: 'exportFilteredMembers',
    audit: ['members:exported'],
    example: { body: { memberLabel: ['new-patient'] } },
    method: 'POST',
    summary: 'Export members as a CSV file, with the filters in the body',
    body: ExportMembersFilter,
    handler: async ({ context, body: { neutralize, ...filter } }) =>
      exportMembers(context, memberFilter(filter), { neutralize }),
  }),
];
