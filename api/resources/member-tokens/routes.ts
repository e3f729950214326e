import { issueMemberToken } from '../../../domain/member-tokens/issue-member-token.js';
import { workspaceMember } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { MemberTokenResponse } from './schemas.js';

const createMemberToken = defineRoute({
  operationId: 'createMemberToken',
  method: 'POST',
  path: '/w/{workspace_uuid}/members/{member_id}/tokens',
  tag: 'Sessions',
  summary: 'Make a token by which a member signs in',
  description:
    'The answer holds the token, this once. It is good for an hour and for one `POST /sessions`, which begins a session of this member in this workspace. Members with an admin role sign in by a code only.',
  access: workspaceMember({ scope: 'account:create', permission: 'account:create' }),
  secretAnswer: true,
  response: { status: 201, schema: MemberTokenResponse },
  errors: { 409: 'The member has an admin role, or is an assistant (`member_is_admin`).' },
  handler: async ({ context, params }) => {
    const { token, expiresAt } = await issueMemberToken(context, params.member_id);
    return { token, expiresAt: expiresAt.toISOString() };
  },
});

export const memberTokenRoutes = [createMemberToken];
