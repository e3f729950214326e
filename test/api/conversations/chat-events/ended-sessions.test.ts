import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../support/api/browser.js';
import { openStream, type TestStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { addMember, addRole, type TestMember, uniqueEmail } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let api: LiveApi;

beforeAll(async () => {
  api = await startLiveApi(setup.database, { eventStreams: { heartbeatMs: 30, heartbeatsPerCheck: 2 } });
});
afterAll(() => api.close());

async function signedIn(email: string): Promise<TestBrowser> {
  const browser = openBrowser(api);
  await browser.signIn({ email });
  return browser;
}

async function signedInMember(): Promise<{ member: TestMember; email: string; browser: TestBrowser }> {
  const role = await addRole(setup.workspace, {});
  const member = await addMember(setup.workspace, { role });
  const account = await setup.database.database.identity.accounts.findById(member.accountId);
  const email = account?.email ?? '';
  return { member, email, browser: await signedIn(email) };
}

async function signedInByToken(memberId: number): Promise<TestBrowser> {
  const { admin, path } = setup.workspace;
  const token = await api.request('POST', path(`/members/${memberId}/tokens`), { apiKey: admin.apiKey });
  const browser = openBrowser(api);
  await browser.request('POST', '/sessions', { body: { memberToken: token.body.token } });
  return browser;
}

/** Follows a new chat with the browser until the stream has passed some access checks. */
async function follow(browser: TestBrowser) {
  const { body } = await browser.request('POST', setup.workspace.path('/chats'), {
    body: { channel: 'web-chat' },
  });
  const stream = await openStream(api.baseUrl, setup.workspace.path(`/chats/${body.id}/events`), { browser });
  await waitFor('checks were passed', () => stream.comments >= 6);
  return stream;
}

async function expectToStay(stream: TestStream): Promise<void> {
  const passed = stream.comments;
  await waitFor('the stream is checked again', () => stream.comments > passed + 4);
  await stream.close();
}

const asAdmin = (method: string, path: string, body?: object) =>
  api.request(method, setup.workspace.path(path), { apiKey: setup.workspace.admin.apiKey, body });

describe('an open event stream', () => {
  it('ends with its own session and not with another one', async () => {
    const { email, browser } = await signedInMember();
    const other = await signedIn(email);
    const [goes, stays] = [await follow(browser), await follow(other)];

    await browser.request('DELETE', '/sessions/current');

    await goes.ended;
    await expectToStay(stays);
  });

  it('ends when the account is disabled', async () => {
    const { member, browser } = await signedInMember();
    const email = uniqueEmail();
    await setup.database.database.identity.accounts.create({ email, isSuperuser: true });
    const superuser = await signedIn(email);
    const stream = await follow(browser);

    const path = `/accounts/${member.accountUuid}`;
    expect(await superuser.request('PUT', path, { body: { enabled: false } })).toMatchObject({ status: 200 });

    await stream.ended;
  });

  it('ends when the member is deleted, for code and token sessions', async () => {
    const { member, browser } = await signedInMember();
    const streams = [await follow(browser), await follow(await signedInByToken(member.memberId))];

    expect(await asAdmin('DELETE', `/members/${member.memberId}`)).toMatchObject({ status: 204 });

    await Promise.all(streams.map(({ ended }) => ended));
  });

  it('ends for a token session when its role becomes an admin role', async () => {
    const { member, browser } = await signedInMember();
    const [byCode, byToken] = [await follow(browser), await follow(await signedInByToken(member.memberId))];

    const path = `/member-roles/${member.row.memberRoleId}`;
    expect(await asAdmin('PUT', path, { useAdmin: true })).toMatchObject({ status: 200 });

    await byToken.ended;
    await expectToStay(byCode);
  });
});
