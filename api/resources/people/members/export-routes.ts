import { exportMembers } from '../../../../domain/people/members/export-members.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { memberFilter } from './filter.js';
import { ExportMembersFilter } from './import-schemas.js';

const shared = {
  path: '/w/{workspace_uuid}/members/export',
  tag: 'Members',
  description:
    'People, filtered as the list is, in order of id, with the columns that an import takes: those of the member, and ' +
    '`form.<data type>.<field>` for data types that hold one record a member, as far as the caller may read all of ' +
    'them. The file can be imported as it is: texts that a spreadsheet would run as a formula ' +
    'have an apostrophe in front, which the import takes off, unless neutralize is false.',
  access: workspaceMember({ scope: 'members:read', permission: 'members:read' }),
  response: {
    status: 200,
    stream: 'text/csv',
    description: 'The file, which is cut off should something go wrong',
  },
} as const;

/** GET and POST W/members/export. */
export const exportRoutes = [
  defineRoute({
    ...shared,
    operationId: 'exportMembers',
    method: 'GET',
    summary: 'Export members as a CSV file',
    query: ExportMembersFilter,
    handler: async ({ context, query: { neutralize, ...filter } }) =>
      exportMembers(context, memberFilter(filter), { neutralize }),
  }),
  defineRoute({
    ...shared,
    operationId: 'exportFilteredMembers',
    method: 'POST',
    summary: 'Export members as a CSV file, with the filters in the body',
    body: ExportMembersFilter,
    handler: async ({ context, body: { neutralize, ...filter } }) =>
      exportMembers(context, memberFilter(filter), { neutralize }),
  }),
];
