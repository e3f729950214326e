import { beforeAll, describe, expect, it } from 'vitest';
import { Actor } from '../../../domain/kernel/actor.js';
import { allScopes, type Scope } from '../../../domain/kernel/scopes.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { conversationTasks, publishDefinition } from '../../support/workspace/definitions.js';
import { addApiKey, type TestMember } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: new MovedClock(), runs: directRuns });
const { workspace, as, asAdmin } = oauth;

let workflowId: number;
let ofAdmin: number;
beforeAll(async () => {
  ({ workflowId } = await publishDefinition(workspace, conversationTasks()));
  ofAdmin = (await asAdmin('POST', '/assignments', { workflowId })).body.id;
});

/** What a person calls with: its credential has these scopes alone. */
const credentials = {
  'an API key': (member: TestMember, scopes: Scope[]) =>
    addApiKey(workspace.database, member.accountId, { scopes }),
  'an OAuth token': async (member: TestMember, scopes: Scope[]) => {
    const { client } = await oauth.addApplication({ scopes });
    const asked = { scope: scopes.join(' ') };
    const { tokens } = await oauth.connect(client, asked, await oauth.signedIn(member));
    return tokens.access_token;
  },
};

describe.each(Object.entries(credentials))('%s', (_kind, issue) => {
  const having = async (member: TestMember, ...scopes: Scope[]) =>
    as({ apiKey: await issue(member, scopes) });

  it('with task:read reads assignments, and changes none', async () => {
    const call = await having(workspace.admin, 'task:read');
    expect((await call('GET', '/assignments')).status).toBe(200);
    expect((await call('GET', `/assignments/${ofAdmin}/current-task-detail`)).status).toBe(200);
    const code = 'insufficient_scope';
    expect(await call('POST', '/assignments', { workflowId })).toMatchObject({ status: 403, body: { code } });
    expect(await call('GET', '/chats')).toMatchObject({ status: 403, body: { code } });
  });

  it('with task:write starts, moves and cancels assignments, and reads none', async () => {
    const call = await having(workspace.admin, 'task:write');
    const { status, body } = await call('POST', '/assignments', { workflowId });
    expect(status).toBe(201);
    const [next] = body.rootTask.children;
    expect((await call('PUT', `/assignments/${body.id}/tasks/${next.id}/select`)).status).toBe(200);
    const { id } = (await call('POST', '/assignments', { workflowId })).body;
    expect((await call('POST', `/assignments/${id}/cancel`)).status).toBe(200);
    expect(await call('GET', '/assignments')).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  it('of a plain member reaches no assignment of others by either', async () => {
    const call = await having(workspace.member, 'task:read', 'task:write');
    const code = 'forbidden';
    expect(await call('GET', `/assignments/${ofAdmin}`)).toMatchObject({ status: 403, body: { code } });
    expect(await call('POST', `/assignments/${ofAdmin}/cancel`)).toMatchObject({
      status: 403,
      body: { code },
    });
    expect((await call('GET', '/assignments')).body.items).toEqual([]);
  });
});

it('opens nothing but assignments, and gives a role no permission', () => {
  const ids = {
    workspaceId: 1,
    workspaceUuid: '',
    accountId: 1,
    memberId: 1,
    memberRoleId: 1,
    isKnown: true,
  };
  const withScopes = (scopes: string[], permissions: string[]) =>
    new Actor({ ...ids, permissions, credential: { kind: 'api_key', id: 1, scopes } });
  const opened = (scope: string) => {
    const actor = withScopes([scope], []);
    return allScopes.filter((one) => actor.hasScope(one));
  };
  expect(opened('task:read')).toEqual(['assignments:read', 'task:read']);
  expect(opened('task:write')).toEqual(['assignments:write', 'task:write']);
  expect(opened('assignments:read')).toEqual(['assignments:read']);
  expect(withScopes(['task:read'], ['task:read']).can('assignments:read')).toBe(false);
  expect(withScopes(['task:read'], ['assignments:read']).can('assignments:read')).toBe(true);
});
