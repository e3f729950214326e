import type { SessionRow } from '../../../../db/identity/models/session.js';
import { deviceLifetimeSeconds } from '../../../../domain/identity/login-codes/known-device.js';
import {
  endSession as end,
  endMemberSession,
  endOtherSessions as endOthers,
  signOut as leave,
  listSessions as list,
  listMemberSessions,
} from '../../../../domain/identity/sessions/open-sessions.js';
import { endOf } from '../../../../domain/identity/sessions/session-lifetime.js';
import { signInByCode, signInByMemberToken } from '../../../../domain/identity/sessions/sign-in.js';
import { anonymousAccess, sessionOwner, workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { BeginSessionRequest, SessionResponse } from './schemas.js';

const tag = 'Sessions';

const beginSession = defineRoute({
  operationId: 'beginSession',
  audit: ['session:begun'],
  method: 'POST',
  path: '/sessions',
  tag,
  summary: 'Sign in',
  description:
    'With a login code: signs in to the account that has the address. If only members have the address, an account is created. The account also takes over all members of any workspace that have the address and that nobody has signed in as. With a member token: signs in as that member in that workspace. The answer sets the session cookie; the session that was sent with the request ends. The example is refused with 401: put in the login code that was sent to you.',
  access: anonymousAccess(),
  body: BeginSessionRequest,
  example: {
    // A code arrives by mail, so this one does not work.
    body: { loginCodeUuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f05', code: '123456' },
  },
  response: { status: 201, schema: SessionResponse },
  errors: {
    401: 'The code or token is wrong, used or expired (`login_refused`), or the account is disabled.',
    429: 'Too many wrong codes were entered by this client, or for this address by browsers that have not signed in with it before.',
  },
  handler: async ({ context, body, session: browser }) => {
    const { session, token, deviceToken } = await ('memberToken' in body
      ? signInByMemberToken(context, body.memberToken)
      : signInByCode(context, body));
    const seconds = Math.round((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
    browser.hold(token, seconds);
    if (deviceToken !== undefined) browser.remember(deviceToken, deviceLifetimeSeconds);
    return presentSession(session, session.id);
  },
});

const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'GET',
  path: '/sessions',
  tag,
  summary: "List the caller's open sessions",
  access: sessionOwner({ scope: 'account:read' }),
  query: PageQuery(['lastUsedAt', 'createdAt'], {}, 'desc'),
  response: { status: 200, schema: Page(SessionResponse) },
  handler: async ({ context, query }) =>
    presentPage(query, await list(context, query), (session) =>
      presentSession(session, context.currentSessionId),
    ),
});

const signOut = defineRoute({
  operationId: 'signOut',
  audit: ['session:ended'],
  method: 'DELETE',
  path: '/sessions/current',
  tag,
  summary: 'Sign out',
  description: 'Ends the session in the cookie, if it is valid, and deletes the cookie.',
  access: anonymousAccess(),
  response: { status: 204 },
  handler: async ({ context, session: browser }) => {
    await leave(context);
    browser.drop();
  },
});

const endSession = defineRoute({
  operationId: 'endSession',
  audit: ['session:ended'],
  method: 'DELETE',
  path: '/sessions/{session_uuid}',
  tag,
  summary: "End one of the caller's sessions",
  access: sessionOwner({ scope: 'account:write' }),
  example: { params: { session_uuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f06' } },
  response: { status: 204 },
  handler: async ({ context, params }) => end(context, params.session_uuid),
});

const endOtherSessions = defineRoute({
  operationId: 'endOtherSessions',
  audit: ['sessions:ended'],
  method: 'DELETE',
  path: '/sessions',
  tag,
  summary: "End all of the caller's sessions except the current one",
  access: sessionOwner({ scope: 'account:write' }),
  response: { status: 204 },
  handler: async ({ context }) => endOthers(context),
});

const managers = workspaceMember({ scope: 'members:write', permission: 'members:write' });

const listOfMember = defineRoute({
  operationId: 'listMemberSessions',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}/sessions',
  tag,
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

const endOfMember = defineRoute({
  operationId: 'endMemberSession',
  audit: ['session:ended'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/members/{member_id}/sessions/{session_uuid}',
  tag,
  summary: "End a member's session that began with a token",
  access: managers,
  example: { params: { session_uuid: demo.memberSessionUuid }, once: true },
  response: { status: 204 },
  handler: async ({ context, params }) => endMemberSession(context, params.member_id, params.session_uuid),
});

function presentSession(session: SessionRow, currentSessionId: number | null) {
  const expiresAt = endOf({ ...session, ofMember: session.memberId !== null });
  return { ...session, current: session.id === currentSessionId, expiresAt };
}

export const sessionRoutes = [
  beginSession,
  listSessions,
  signOut,
  endSession,
  endOtherSessions,
  listOfMember,
  endOfMember,
];
