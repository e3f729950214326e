import { exportMembers } from '../../../../domain/people/members/transfer/export-members.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { memberFilter } from './filter.js';
import { ExportMembersFilter } from './import-schemas.js';

const shared = {
  path: '/w/{workspace_uuid}/members/export',
  tag: 'Members',
  description:
    "Contains people only, with the same filters as the list, in order of id. The columns are those of the import: the member's own, and `form.<data type>.<field>` for data types with one record per member that the caller may read for all members. The file can be imported unchanged: a text that a spreadsheet would run as a formula is prefixed with an apostrophe, which the import removes, unless neutralize is false.",
  access: workspaceMember({ scope: 'members:read', permission: 'members:read' }),
  response: {
    status: 200,
    stream: 'text/csv',
    description: 'The file; it is cut off if an error occurs',
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
