import Type from 'typebox';
import { takeSupportAccess as take } from '../../../../domain/identity/support-access/take-support-access.js';
import { superuserAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Id, Nullable, Timestamp } from '../../../http/schemas.js';

const TakeSupportAccessRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'What it is for, such as the number of a request for support',
    }),
  },
  { $id: 'TakeSupportAccessRequest' },
);

const SupportAccessResponse = Type.Object(
  {
    memberId: Id,
    endsAt: Nullable(
      Type.String({
        ...Timestamp,
        description: 'Null where the account is one of the workspace’s own people',
      }),
    ),
  },
  { $id: 'SupportAccessResponse' },
);

const takeSupportAccess = defineRoute({
  operationId: 'takeSupportAccess',
  method: 'PUT',
  path: '/w/{workspace_uuid}/support-access',
  tag: 'Support',
  summary: 'Become an administrator of a workspace, for support',
  description:
    'For superusers who are signed in. They become a member with the role “Service support”, whom the workspace sees in its list of members and can remove. The reason is kept. The access ends after the hours that the operator set (8), and when the account is no superuser any more; asking again extends it.',
  access: superuserAccess(),
  body: TakeSupportAccessRequest,
  response: { status: 200, schema: SupportAccessResponse },
  handler: async ({ context, policy, params, body }) => {
    const { memberId, endsAt } = await take({ ...context, policy }, params.workspace_uuid, body.reason);
    return { memberId, endsAt: endsAt?.toISOString() ?? null };
  },
});

export const supportAccessRoutes = [takeSupportAccess];
