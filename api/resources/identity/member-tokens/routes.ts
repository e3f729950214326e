import Type from 'typebox';
import { issueMemberToken } from '../../../../domain/identity/member-tokens/issue-member-token.js';
import {
  listMemberTokens,
  revokeMemberToken,
} from '../../../../domain/identity/member-tokens/member-tokens.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Id, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';

const MemberTokenResponse = Picked(
  { token: Type.String({ description: '`wmt_…`, shown only this once.' }), expiresAt: Timestamp },
  { $id: 'MemberTokenResponse' },
);

const UsableMemberToken = Picked(
  { id: Id, createdAt: Timestamp, expiresAt: Timestamp },
  { $id: 'UsableMemberToken' },
);

const createMemberToken = defineRoute({
  operationId: 'createMemberToken',
  audit: ['member_token:created'],
  method: 'POST',
  path: '/w/{workspace_uuid}/members/{member_id}/tokens',
  tag: 'Sessions',
  summary: 'Create a token for a member to sign in',
  description:
    "The answer contains the token, only this once. It is valid for an hour and for one `POST /sessions`, which begins a session of this member in this workspace. Token and session end when the member's role gains a permission. Members with an admin role can only sign in by a code.",
  access: workspaceMember({
    scope: 'members:impersonate',
    permission: 'members:impersonate',
    makesCredential: true,
  }),
  secretAnswer: true,
  response: { status: 201, schema: MemberTokenResponse },
  errors: { 409: 'The member has an admin role, or is an assistant (`member_is_admin`).' },
  handler: async ({ context, params }) => issueMemberToken(context, params.member_id),
});

const managers = workspaceMember({ scope: 'members:write', permission: 'members:write' });

const listTokens = defineRoute({
  operationId: 'listMemberTokens',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}/tokens',
  tag: 'Sessions',
  summary: "List a member's unused tokens",
  access: managers,
  query: PageQuery(['createdAt'], {}, 'desc'),
  response: { status: 200, schema: Page(UsableMemberToken) },
  handler: async ({ context, params, query }) =>
    presentPage(query, await listMemberTokens(context, params.member_id, query)),
});

const revokeToken = defineRoute({
  operationId: 'revokeMemberToken',
  audit: ['member_token:revoked'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/members/{member_id}/tokens/{token_id}',
  tag: 'Sessions',
  summary: 'Revoke an unused token',
  access: managers,
  example: { once: true },
  response: { status: 204 },
  handler: async ({ context, params }) => revokeMemberToken(context, params.member_id, params.token_id),
});

export const memberTokenRoutes = [createMemberToken, listTokens, revokeToken];
