import {
  endMemberSession,
  listMemberSessions,
} from '../../../../domain/identity/sessions/member-sessions.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { presentSession } from './presenter.js';
import { SessionResponse } from './schemas.js';

const managers = workspaceMember({ scope: 'members:write', permission: 'members:write' });

const list = defineRoute({
  operationId: 'listMemberSessions',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}/sessions',
  tag: 'Sessions',
  summary: "List a member's open sessions that began with a token",
  description: 'Sessions that a person began with a code belong to the account and are not listed.',
  access: managers,
  query: PageQuery(['lastUsedAt', 'createdAt'], {}, 'desc'),
  response: { status: 200, schema: Page(SessionResponse) },
  handler: async ({ context, params, query }) =>
    presentPage(query, await listMemberSessions(context, params.member_id, query), (session) =>
      presentSession(session, null),
    ),
});

const end = defineRoute({
  operationId: 'endMemberSession',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/members/{member_id}/sessions/{session_uuid}',
  tag: 'Sessions',
  summary: "End a member's session that began with a token",
  access: managers,
  response: { status: 204 },
  handler: async ({ context, params }) => endMemberSession(context, params.member_id, params.session_uuid),
});

export const memberSessionRoutes = [list, end];
