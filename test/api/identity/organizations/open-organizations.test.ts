import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { addOrganization, stranger } from '../../../support/workspace/organizations.js';

const { api, workspace } = useApi();
type Person = Awaited<ReturnType<typeof stranger>>;
const join = ({ browser }: Person, uuid: string) => browser.request('POST', `/o/${uuid}/join`, { body: {} });
const change = ({ browser }: Person, uuid: string, body: object) =>
  browser.request('PUT', `/organizations/${uuid}`, { body });
const isOpen = async (uuid: string) =>
  (await api.request('GET', `/o/${uuid}/config`)).body.anyoneMayJoin as boolean;

/** An organization that its owner has opened. */
async function opened() {
  const owner = await stranger(api, workspace);
  const { uuid } = await addOrganization(owner);
  const answer = await change(owner, uuid, { anyoneMayJoin: true });
  expect(answer).toMatchObject({ status: 200, body: { anyoneMayJoin: true } });
  return { owner, uuid };
}

describe('an organization that anyone may join', () => {
  it('is one only after its owner has said so, and shows it to everybody', async () => {
    const owner = await stranger(api, workspace);
    const { uuid } = await addOrganization(owner);
    expect(await isOpen(uuid)).toBe(false);
    await change(owner, uuid, { anyoneMayJoin: true });
    expect(await isOpen(uuid)).toBe(true);
  });

  it('makes who joins a plain member, once for any number of requests', async () => {
    const { owner, uuid } = await opened();
    const person = await stranger(api, workspace);

    const answers = await Promise.all([1, 2, 3].map(() => join(person, uuid)));

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { role: 'member', status: 'active' } });
      expect(answer.headers.getSetCookie()[0]).toContain('wes_org_session');
    }
    const { body } = await owner.browser.request('GET', `/organizations/${uuid}/organization-members`);
    const joined = body.items.filter(({ joinedBy }: { joinedBy: string }) => joinedBy === 'open');
    expect(joined).toMatchObject([{ role: 'member' }]);
    const log = await owner.browser.request('GET', `/organizations/${uuid}/audit-events`);
    const noted = log.body.items.map(({ action, names }: { action: string; names: string[] }) => [
      action,
      names,
    ]);
    expect(noted).toContainEqual(['organization_member:added', ['open']]);
    expect(noted).toContainEqual(['organization:updated', ['anyoneMayJoin']]);
  });

  it('is opened by owners only', async () => {
    const { owner, uuid } = await opened();
    const person = await stranger(api, workspace);
    await join(person, uuid);
    expect((await change(person, uuid, { anyoneMayJoin: false })).status).toBe(403);
    expect((await change(owner, uuid, { anyoneMayJoin: false })).status).toBe(200);
    expect(await join(await stranger(api, workspace), uuid)).toMatchObject({
      status: 403,
      body: { code: 'join_refused' },
    });
  });

  it('lets nobody in whom an admin has disabled, and nobody without a session', async () => {
    const { owner, uuid } = await opened();
    const person = await stranger(api, workspace);
    await join(person, uuid);
    const { body } = await owner.browser.request('GET', `/organizations/${uuid}/organization-members`);
    const { id } = body.items.find(({ role }: { role: string }) => role === 'member');
    const path = `/organizations/${uuid}/organization-members/${id}`;
    expect((await owner.browser.request('PUT', path, { body: { status: 'disabled' } })).status).toBe(200);
    expect(await join(person, uuid)).toMatchObject({ status: 403, body: { code: 'member_disabled' } });

    const { apiKey } = workspace.admin;
    const byKey = await api.request('POST', `/o/${uuid}/join`, { body: {}, apiKey });
    expect(byKey).toMatchObject({ status: 403, body: { code: 'session_required' } });
  });

  it('is joined by its identity provider only while that is the one way in', async () => {
    const { uuid } = await opened();
    await workspace.database.inIdentity(async (tx) => {
      await tx('identity.organizations').where({ uuid }).update({ sso_only: true, public_path: uuid });
    });
    expect(await isOpen(uuid)).toBe(false);
    expect(await join(await stranger(api, workspace), uuid)).toMatchObject({
      status: 403,
      body: { code: 'sso_required' },
    });
  });
});
