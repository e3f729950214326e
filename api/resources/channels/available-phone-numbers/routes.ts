import Type from 'typebox';
import { listAvailableNumbers } from '../../../../domain/channels/phone-number-pool/pool-numbers.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';

const AvailablePhoneNumber = Type.Object(
  {
    number: Type.String({ description: 'The number in E.164, for example +12025550123' }),
    assigned: Type.Boolean({ description: 'Whether the number is reserved for this workspace' }),
  },
  { $id: 'AvailablePhoneNumber' },
);

const list = defineRoute({
  operationId: 'listAvailablePhoneNumbers',
  method: 'GET',
  path: '/w/{workspace_uuid}/available-phone-numbers',
  tag: 'Phone numbers',
  summary: 'List the numbers that the workspace may take',
  access: workspaceMember({ scope: 'phone_numbers:write', permission: 'phone_numbers:write' }),
  query: PageQuery(['number', 'createdAt']),
  response: { status: 200, schema: Page(AvailablePhoneNumber) },
  handler: async ({ context, query }) =>
    presentPage(query, await listAvailableNumbers(context, query), ({ number, workspaceId }) => ({
      number,
      assigned: workspaceId !== null,
    })),
});

export const availablePhoneNumberRoutes = [list];
