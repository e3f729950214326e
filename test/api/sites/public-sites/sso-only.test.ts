import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSite } from '../../../../domain/sites/sites/create-site.js';
import { useApi } from '../../../support/api/use-api.js';
import { startProvider } from '../../../support/simulators/simulated-identity-provider.js';
import { randomTag } from '../../../support/workspace/factories.js';
import { personOf, stranger } from '../../../support/workspace/organizations.js';
import { addSsoOrganization } from '../../../support/workspace/single-sign-on.js';

const { api, workspace } = useApi();
let provider: Awaited<ReturnType<typeof startProvider>>;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

it('signing up is refused where the organization accepts nothing but its identity provider', async () => {
  const site = await createSite(workspace.context(), {
    name: `Site ${randomTag()}`,
    isPublic: true,
    allowSignup: true,
  });
  const owner = await personOf(api, workspace, workspace.admin);
  const organization = await addSsoOrganization(owner, provider);
  await owner.browser.request('PUT', workspace.path('/organization'), {
    body: { organizationUuid: organization.uuid },
  });
  await workspace.database.inIdentity((tx) =>
    tx('identity.organizations')
      .where({ uuid: organization.uuid })
      .update({ sso_only: true, public_path: `hooks-${randomTag()}` }),
  );
  const { browser, email } = await stranger(api, workspace);
  const answer = await browser.request('POST', `/s/${workspace.workspaceUuid}/${site.uuid}/signup`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'sso_only' } });
  const members = await workspace.within(async (tx) => tx('members').where({ email }));
  expect(members).toEqual([]);
});
