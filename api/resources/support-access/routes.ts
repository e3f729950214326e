import Type from 'typebox';
import { takeSupportAccess as take } from '../../../domain/support-access/take-support-access.js';
import { superuserAccess } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { Id } from '../../http/schemas.js';

const takeSupportAccess = defineRoute({
  operationId: 'takeSupportAccess',
  method: 'PUT',
  path: '/w/{workspace_uuid}/support-access',
  tag: 'Support',
  summary: 'Become an administrator of a workspace, for support',
  description:
    'For superusers who are signed in. They become a member with the role “Service support”, whom the workspace sees in its list of members and can remove. Asking again changes nothing.',
  access: superuserAccess(),
  response: { status: 200, schema: Type.Object({ memberId: Id }, { $id: 'SupportAccessResponse' }) },
  handler: async ({ context, params }) => take(context, params.workspace_uuid),
});

export const supportAccessRoutes = [takeSupportAccess];
