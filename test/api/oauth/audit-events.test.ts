import { describe, expect, it } from 'vitest';
import { listAccountAuditEvents } from '../../../domain/identity/audit/read-audit.js';
import {
  deleteApplication,
  rotateApplicationSecret,
  updateApplication,
} from '../../../domain/identity/oauth/applications.js';
import { listGrants, revokeGrant } from '../../../domain/identity/oauth/grants.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { MovedClock, minutes } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';

const clock = new MovedClock();
const oauth = useOAuth({ clock });
const { workspace } = oauth;
const newest = { page: 1, pageSize: 50, sortBy: 'createdAt', sortOrder: 'desc' } as const;

const ownLog = async (member = workspace.admin) => {
  const { items } = await listAccountAuditEvents(await oauth.contextOf(member), {}, newest);
  return items;
};
const acts = (events: readonly { action: string; names: readonly string[] }[]) =>
  events.map(({ action, names }) => [action, ...names]);
// biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
const workspaceLog = async (query: Record<string, string>): Promise<any[]> =>
  (await oauth.asAdmin('GET', '/audit-events', undefined, query)).body.items;

describe('the log of an account', () => {
  it('has its applications: created, changed, with another secret, deleted', async () => {
    const { application } = await oauth.addApplication();
    const context = await oauth.contextOf();
    await updateApplication(context, application.uuid, { name: 'Called otherwise' });
    await rotateApplicationSecret(context, application.uuid);
    await deleteApplication(context, application.uuid);
    await expect(deleteApplication(context, application.uuid)).rejects.toMatchObject({ code: 'not_found' });

    const log = (await ownLog()).filter(({ subjectId }) => subjectId === application.id);
    expect(acts(log)).toEqual([
      ['application:deleted'],
      ['application:secret_rotated'],
      ['application:updated', 'name'],
      ['application:created', 'chats:read', 'members:read'],
    ]);
    expect(JSON.stringify(log)).not.toContain('otherwise');
  });

  it('has whom the person let in and whom not, from where; the workspace has who was let in', async () => {
    const { client, application } = await oauth.addApplication();
    const visitor = await oauth.signedIn();
    await oauth.connect(client, {}, visitor);
    const { path } = await client.begin();
    await client.consent(visitor, path, { decision: 'deny' });

    const [refused, connected] = await ownLog();
    expect(refused).toMatchObject({ action: 'application:refused', names: [application.clientId] });
    expect(connected).toMatchObject({
      action: 'application:connected',
      subjectType: 'grant',
      names: ['chats:read'],
      credentialKind: 'session',
      address: '127.0.0.1',
      requestId: expect.any(String),
    });
    const seen = await workspaceLog({ action: 'application:connected' });
    expect(seen[0]).toMatchObject({
      subjectId: connected?.subjectId,
      actorMemberId: workspace.admin.memberId,
    });
    expect(await workspaceLog({ subjectType: 'application' })).toEqual([]);
  });

  it('has by what each grant ended, as has the workspace', async () => {
    const ended = async () => (await ownLog())[0];
    const { client, application } = await oauth.addApplication();
    const connected = () => oauth.connect(client);

    const { tokens: given } = await connected();
    await client.revoke(given.refresh_token ?? '');
    expect(await ended()).toMatchObject({ names: ['client'], credentialKind: null, address: '127.0.0.1' });

    const { tokens: stolen } = await connected();
    await client.refresh(stolen.refresh_token ?? '');
    clock.advance(minutes(1));
    await client.refresh(stolen.refresh_token ?? '');
    expect(await ended()).toMatchObject({ action: 'application:disconnected', names: ['reuse'] });

    await connected();
    const context = await oauth.contextOf();
    const { items } = await listGrants(context, { page: 1, pageSize: 1, sortOrder: 'desc' });
    await revokeGrant(context, items[0]?.uuid ?? '');
    await expect(revokeGrant(context, items[0]?.uuid ?? '')).resolves.toBeUndefined();
    expect(await ended()).toMatchObject({ names: ['person'], subjectId: items[0]?.id });

    const told = await workspaceLog({ action: 'application:disconnected' });
    expect(told.map(({ names, actorMemberId }) => [names[0], actorMemberId])).toEqual([
      ['person', workspace.admin.memberId],
      ['reuse', null],
      ['client', null],
    ]);

    const other = await addMember(workspace);
    await connected();
    await oauth.connect(client, {}, await oauth.signedIn(other));
    await deleteApplication(context, application.uuid);
    expect(acts(await ownLog()).slice(0, 2)).toContainEqual(['application:disconnected', 'application']);
    expect((await ownLog(other))[0]).toMatchObject({
      action: 'application:disconnected',
      names: ['application'],
      subjectType: 'grant',
      credentialKind: null,
      address: null,
    });
  });
});
