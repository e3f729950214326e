import { importMembers } from '../../../../domain/people/members/import-members.js';
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
\`form.<data type>.<field>\` for data types that hold one record a member. One of email, phone and external_id has to be
there, in the file and in each row.

A row changes the member that has its email or phone number; where it has neither, the one with its external id; else it
adds a member. Two rows about one person are taken in their order. A row whose email and phone are those of two members,
or that would take an identifier from another, fails. A cell of labels replaces all the member has; \`""\` takes all away.
A blank cell leaves what is there, unless \`blankCells\` says otherwise; switches stay in either case. Roles of members
that there are stay, and nobody is changed whose role holds what the caller's lacks.

A file that is no CSV, has other columns or more than 10,000 rows is refused before anything is written. A row that is
refused is told of in the last line, and the others are written, each with its labels and records as a whole. A client
that goes away leaves whole rows; importing the file again is harmless.

Columns of data types need the permission records:write or data:write:<slug>.`,
  access: workspaceMember({ scope: 'members:write', permission: 'members:write' }),
  consumes: 'multipart',
  file: csvFile,
  body: ImportMembersForm,
  response: {
    status: 200,
    stream: 'application/x-ndjson',
    schema: MemberImportLine,
    description: 'How far it is, batch by batch; the last line tells what became of it all',
  },
  handler: async ({ context, body, file, signal }) =>
    importMembers(context, { ...body, path: file.path, signal }),
});
