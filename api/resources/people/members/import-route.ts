import { importMembers } from '../../../../domain/people/members/transfer/import-members.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { csvFile } from '../../../http/uploads/uploaded-file.js';
import { ImportMembersForm, MemberImportLine } from './import-schemas.js';

/** POST W/members/import (specification, member import). */
export const importRoute = defineRoute({
  operationId: 'importMembers',
  method: 'POST',
  path: '/w/{workspace_uuid}/members/import',
  tag: 'Members',
  summary: 'Import members from a CSV file',
  description: `Columns: \`email\`, \`phone\`, \`name\`, \`date_of_birth\` (YYYY-MM-DD), \`external_id\`, \`description\`, \`labels\`
(slugs, separated by commas), \`notify_email\`, \`notify_sms\`, \`notify_voice\` (true or false, 1 or 0), and
\`form.<data type>.<field>\` for data types with one record per member. The file, and each row, needs at least one of
email, phone and external_id.

A row updates the member with its email or phone number; if there is none, the one with its external id; otherwise it
creates a member. Two rows about the same person are applied in order. A row fails if its email and phone belong to two
different members, or if it would take an identifier from another member. The labels of a row replace all labels of the
member; \`""\` removes them all. A blank cell keeps the present value, unless \`blankCells\` says otherwise; blank true/false
cells always keep it. Existing members keep their roles, and a member whose role has permissions that the caller lacks
is not changed.

A file that is not CSV, has no known column, a repeated or unnamed one, or more than 10,000 rows is refused before
anything is written. Rows that fail are reported in the last line, and the others are written, each together with its
labels and records. If the client disconnects, every row is written completely or not at all; importing the
file again is safe.

Columns of data types need the permission records:write or data:write:<slug>.`,
  access: workspaceMember({ scope: 'members:write', permission: 'members:write' }),
  consumes: 'multipart',
  file: csvFile,
  body: ImportMembersForm,
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: MemberImportLine,
    description: 'Progress after each batch of rows; the last line has the result',
  },
  handler: async ({ context, body, file, signal }) =>
    importMembers(context, { ...body, path: file.path, signal }),
});
