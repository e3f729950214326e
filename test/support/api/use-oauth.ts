import { sessionCookieName } from '../../../api/auth/session-cookie.js';
import { createApplication } from '../../../domain/identity/oauth/applications.js';
import type { Clock } from '../../../domain/lib/clock.js';
import type { TestMember } from '../workspace/factories.js';
import { TestOAuthClient } from './oauth-client.js';
import { PageVisitor } from './page-visitor.js';
import { type UseApiOptions, useApi } from './use-api.js';

export const redirectUri = 'https://client.example/callback';

interface ApplicationSettings {
  confidential?: boolean;
  redirectUris?: string[];
  scopes?: string[];
  name?: string;
}

/** `useApi` with applications, people at the pages and tokens. */
export function useOAuth(options: UseApiOptions & { clock: Clock }) {
  const using = useApi(options);
  const { api, database, workspace } = using;
  const db = () => database.database;

  const accountOf = async (member: TestMember) => {
    const account = await db().identity.accounts.findById(member.accountId);
    if (account === undefined) throw new Error('there is no account');
    return account;
  };
  /** What a command of the person needs. */
  const contextOf = async (member: TestMember = workspace.admin) => {
    const credential = {
      kind: 'session',
      id: 1,
      scopes: null,
      workspaceId: null,
      organizationId: null,
      expiresAt: null,
    } as const;
    return { db: db(), clock: options.clock, account: await accountOf(member), credential };
  };
  const addApplication = async (settings: ApplicationSettings = {}) => {
    const { application, secret } = await createApplication(await contextOf(), {
      name: settings.name ?? 'Client',
      redirectUris: settings.redirectUris ?? [redirectUri],
      scopes: settings.scopes ?? ['chats:read', 'members:read'],
      confidential: settings.confidential ?? true,
    });
    const client = new TestOAuthClient(api, {
      clientId: application.clientId,
      secret,
      redirectUri: settings.redirectUris?.[0] ?? redirectUri,
    });
    return { application, client, secret };
  };
  // A person signs in once, as the codes for one address are limited; each visitor is another tab of that browser.
  const sessions = new Map<number, string>();
  const signedIn = async (member: TestMember = workspace.admin): Promise<PageVisitor> => {
    const visitor = new PageVisitor(api);
    const held = sessions.get(member.memberId);
    if (held === undefined) await visitor.signIn((await accountOf(member)).email ?? '');
    else visitor.setCookie(sessionCookieName, held);
    sessions.set(member.memberId, visitor.cookie(sessionCookieName) ?? '');
    return visitor;
  };
  const workspaceId = () => ({ workspaceId: String(workspace.workspaceId) });
  /** Goes through the code flow. */
  const connect = async (
    client: TestOAuthClient,
    asked: Record<string, string> = {},
    visitor?: PageVisitor,
  ) => {
    const begun = await client.begin(asked);
    const end = await client.consent(visitor ?? (await signedIn()), begun.path, workspaceId());
    if (end.location === undefined)
      throw new Error(`the consent did not lead back: ${end.status} ${end.text}`);
    return { begun, location: end.location, tokens: await client.exchange(end.location, begun) };
  };
  const readChats = (apiKey: string) => api.request('GET', workspace.path('/chats'), { apiKey });
  return { ...using, db, accountOf, contextOf, addApplication, signedIn, workspaceId, connect, readChats };
}
