import { expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { randomTag } from '../../support/workspace/factories.js';
import { addOrganization, personOf } from '../../support/workspace/organizations.js';

const oauth = useOAuth({ clock: systemClock });
const { api, workspace } = oauth;
const scope = 'members:read chats:read';

async function setSsoOnly(uuid: string, ssoOnly: boolean): Promise<void> {
  const { organizations } = oauth.db().identity;
  const found = await organizations.findByUuid(uuid);
  const changes = { ssoOnly, publicPath: `hooks-${randomTag()}` };
  await oauth.db().inIdentity((tx) => organizations.update(found?.id ?? 0, changes, tx));
}

it('a workspace that is entered by its provider only refuses OAuth tokens, which no provider has given', async () => {
  const { client } = await oauth.addApplication({ scopes: scope.split(' ') });
  const { resource } = client;
  const forTools = (await oauth.connect(client, { resource: resource.mcp, scope })).tokens;
  const forApi = (await oauth.connect(client, { resource: resource.api, scope })).tokens;
  const token = forTools.access_token;
  const call = { token, method: 'tools/call', params: { name: 'list_members', arguments: {} } };
  const asks = async () => [
    await sendMcp(api, { token }),
    await sendMcp(api, call),
    await sendModernMcp(api, call),
    await sendMcp(api, { token, method: 'resources/read', params: { uri: 'wes://chats/1/transcript' } }),
    await oauth.readChats(forApi.access_token),
  ];
  const statuses = async () => (await asks()).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);

  const owner = await personOf(api, workspace, workspace.admin);
  const { uuid } = await addOrganization(owner);
  const join = { body: { organizationUuid: uuid } };
  expect((await owner.browser.request('PUT', workspace.path('/organization'), join)).status).toBe(200);
  await setSsoOnly(uuid, true);
  for (const answer of await asks())
    expect(answer).toMatchObject({ status: 403, body: { code: 'sso_required' } });

  // A refresh gives a token that is refused as well: the grant itself has not come by the provider.
  const refreshed = await (await client.refresh(forTools.refresh_token ?? '')).json();
  const renewed = { ...call, token: (refreshed as { access_token: string }).access_token };
  expect(await sendMcp(api, renewed)).toMatchObject({ status: 403, body: { code: 'sso_required' } });

  await setSsoOnly(uuid, false);
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  expect((await sendMcp(api, renewed)).status).toBe(200);
});
