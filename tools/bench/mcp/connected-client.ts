import { sessionCookieName } from '../../../api/auth/session-cookie.js';
import { createApplication } from '../../../domain/identity/oauth/applications.js';
import { createSessionToken } from '../../../domain/identity/sessions/session-token.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { TestOAuthClient } from '../../../test/support/api/oauth-client.js';
import { PageVisitor } from '../../../test/support/api/page-visitor.js';
import { freePort } from '../../dev/provision/ports.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';

export interface ConnectedClient {
  clientId: string;
  accessToken: string;
  refreshToken: string;
}

const redirectUri = 'https://client.example/callback';
const scopes = ['data:read'];

/** An api that knows its own address, which the addresses of the authorization server follow. */
export async function startPublicApi({ startApi }: Stage): Promise<StageProcess> {
  const port = await freePort();
  return startApi({ port, env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
}

/** Has the admin of the workspace let a public client into it, for the tools. */
export async function connectClient(
  { database, workspace }: Stage,
  api: Pick<StageProcess, 'url'>,
): Promise<ConnectedClient> {
  const { accounts, sessions } = database.identity;
  const { accountId } = workspace.admin;
  const account = await accounts.findById(accountId);
  if (account === undefined) throw new Error('there is no admin');
  const credential = {
    kind: 'session',
    id: 1,
    scopes: null,
    workspaceId: null,
    organizationId: null,
    expiresAt: null,
  } as const;
  const context = { db: database, clock: systemClock, account, credential };
  const made = { name: 'Client', redirectUris: [redirectUri], scopes, confidential: false };
  const { application } = await createApplication(context, made);

  const { token, hash } = createSessionToken();
  const now = systemClock.now();
  const session = {
    accountId,
    workspaceId: null,
    memberId: null,
    roleGrants: [],
    granted: [],
    apiKeyId: null,
  };
  const expiresAt = new Date(now.getTime() + 86_400_000);
  await database.inWorkspace(workspace.workspaceId, (tx) =>
    sessions.insert({ ...session, hash, userAgent: 'Bench', createdAt: now, expiresAt }, tx),
  );
  const visitor = new PageVisitor({
    baseUrl: api.url,
    request: () => Promise.reject(new Error('not asked')),
  });
  visitor.setCookie(sessionCookieName, token);
  const client = new TestOAuthClient({ baseUrl: api.url }, { clientId: application.clientId, redirectUri });
  const begun = await client.begin({ scope: scopes.join(' '), resource: client.resource.mcp });
  const { location = '' } = await client.consent(visitor, begun.path, {
    workspaceId: String(workspace.workspaceId),
  });
  const tokens = await client.exchange(location, begun);
  if (tokens.refresh_token === undefined) throw new Error('there is no refresh token');
  return {
    clientId: application.clientId,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
  };
}
