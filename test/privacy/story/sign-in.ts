import { openBrowser, type TestBrowser, wrong } from '../../support/api/browser.js';
import { loginCodeOf } from '../../support/api/login.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import type { Configured } from './configure.js';

export interface SignedIn {
  browser: TestBrowser;
  apiKey: string;
  memberId: number;
}

/** By mail, by SMS and by token; to an address nobody has, one that is refused, with a wrong code and too often. */
export async function signIn(stage: Stage, { roleId }: Configured): Promise<SignedIn> {
  const { workspace, system } = stage;
  const { accounts, memberships } = system.database.identity;
  const refused = { email: planted('refusedEmail'), phone: planted('refusedPhone') };
  await accounts.create(refused);
  const account = await accounts.create({
    name: 'Before',
    email: planted('accountEmail'),
    phone: planted('accountPhone'),
    paymentCustomerId: planted('accountCustomer'),
  });
  const { id: memberId } = await stage.as()('POST', '/members', {
    name: 'Web chatter',
    memberRoleId: roleId,
  });
  await memberships.add({ workspaceId: workspace.workspaceId, memberId, accountId: account.id });

  const browser = openBrowser(stage.api, { 'User-Agent': planted('userAgent') });
  await askInVain(stage, browser, refused);
  const bySms = await ask(stage, browser, { phone: planted('accountPhone') });
  const byMail = await ask(stage, browser, { email: planted('accountEmail') });
  for (const { uuid, outcome } of [bySms, byMail]) {
    if (outcome !== 'sent') throw new Error(`the code was not sent: ${outcome}`);
    const code = await loginCodeOf(stage.api, uuid);
    answered(
      await browser.request('POST', '/sessions', { body: { loginCodeUuid: uuid, code: wrong(code) } }),
      401,
    );
    answered(await browser.request('POST', '/sessions', { body: { loginCodeUuid: uuid, code } }));
    stage.keepSecret(`session-${uuid}`, browser.token ?? '');
  }
  const avatarUrl = `${stage.api.baseUrl}/api/v2${workspace.path(`/sharing/files/1/contents/${planted('accountPicture')}`)}`;
  const told = { name: planted('accountName'), avatarUrl };
  answered(await browser.request('POST', '/account', { body: told }), 200);
  const touch = { utmCampaign: planted('accountCampaign') };
  answered(await browser.request('POST', '/account/acquisition', { body: touch }), 200);
  // What is refused later cannot be a first touch then: this operation passes over what it does not know.
  const { apiKey } = workspace.admin;
  answered(await stage.api.request('POST', '/account/acquisition', { apiKey, body: touch }), 200);

  const address = { body: { phone: planted('accountPhone') } };
  const { uuid } = answered(await browser.request('POST', '/account/addresses', address), 202);
  const adding = stage.system.run('sendLoginCode', uuid);
  await waitFor('the code for the address is sent', () => adding.result());

  const key = {
    name: planted('keyName'),
    scopes: ['chats:read', 'chats:write', 'files:read', 'files:write', 'account:read'],
  };
  const { secret } = answered(await browser.request('POST', '/account/api-keys', { body: key }));
  stage.keepSecret('apiKey', secret);
  await signInByToken(stage, memberId);
  return { browser, apiKey: secret, memberId };
}

async function askInVain(
  stage: Stage,
  browser: TestBrowser,
  refused: { email: string; phone: string },
): Promise<void> {
  const { mail, carrier } = stage.system;
  await mail.plan({ to: refused.email, reply: 550 });
  await carrier.turn({ handset: refused.phone, refuse: { code: 21610, rate: 1 } });
  const first = await ask(stage, browser, { email: refused.email });
  const second = await ask(stage, browser, { phone: refused.phone });
  await mail.plan({ to: refused.email, hangUp: true });
  const third = await ask(stage, browser, { email: refused.email });
  const nobody = await ask(stage, browser, { email: planted('unknownEmail') });
  const outcomes = [first, second, third, nobody].map(({ outcome }) => outcome);
  if (String(outcomes) !== 'failed,failed,unknown_outcome,no_account') throw new Error(String(outcomes));
  let status = 0;
  for (let tries = 0; status !== 429 && tries < 50; tries += 1) {
    const body = { email: planted('unknownEmail') };
    status = (await browser.request('POST', '/login-codes', { body })).status;
  }
  if (status !== 429) throw new Error('nobody is kept from asking on');
}

async function ask(stage: Stage, browser: TestBrowser, address: { email: string } | { phone: string }) {
  const { loginCodeUuid: uuid } = await browser.askForCode(address);
  const run = stage.system.run('sendLoginCode', uuid);
  const outcome = await waitFor('the code is dealt with', async () => (await run.result()).outcome as string);
  return { uuid, outcome };
}

async function signInByToken(stage: Stage, memberId: number): Promise<void> {
  const { token } = await stage.as()('POST', `/members/${memberId}/tokens`, {});
  stage.keepSecret('memberToken', token);
  const other = openBrowser(stage.api);
  answered(await other.request('POST', '/sessions', { body: { memberToken: token } }));
  stage.keepSecret('memberSession', other.token ?? '');
  answered(await other.request('POST', '/sessions', { body: { memberToken: token } }), 401);
  answered(await other.request('DELETE', '/sessions/current'), 204);
}
