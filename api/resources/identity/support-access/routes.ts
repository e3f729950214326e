import Type from 'typebox';
import { takeSupportAccess as take } from '../../../../domain/identity/support-access/take-support-access.js';
import { superuserAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Id, Nullable, Picked, Time, Timestamp } from '../../../http/schemas.js';

const TakeSupportAccessRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'The reason, for example the number of a support request',
    }),
  },
  { $id: 'TakeSupportAccessRequest' },
);

const SupportAccessResponse = Picked(
  {
    memberId: Id,
    endsAt: Nullable(
      Time({ ...Timestamp, description: 'Null if the account is a regular member of the workspace' }),
    ),
  },
  { $id: 'SupportAccessResponse' },
);

const takeSupportAccess = defineRoute({
  operationId: 'takeSupportAccess',
  audit: ['support_access:taken'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/support-access',
  tag: 'Support',
  summary: 'Become an administrator of a workspace, for support',
  description:
    'For superusers who are signed in. Adds them as a member with the role “Service support”, which the workspace sees in its list of members and can remove. The reason is stored. The access ends after the hours that the operator has set (default 8), or when the account stops being a superuser; calling again extends it.',
  access: superuserAccess(),
  body: TakeSupportAccessRequest,
  example: { body: { reason: 'Support request 4711' } },
  response: { status: 200, schema: SupportAccessResponse },
  handler: async ({ context, services: { policy }, params, body }) =>
    take({ ...context, policy }, params.workspace_uuid, body.reason),
});

export const supportAccessRoutes = [takeSupportAccess];
