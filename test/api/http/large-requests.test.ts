import { once } from 'node:events';
import { request } from 'node:http';
import Type from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { workspaceMember } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { largeAnswerLength, largeBodyBytes } from '../../../api/http/pipeline/large-requests.js';
import { useApi } from '../../support/api/use-api.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

/** The requests that handlers hold back, and the highest number at once. */
const held: (() => void)[] = [];
let underWay = 0;
let maxUnderWay = 0;
/** The length of the next responses. */
let length = 0;

const hold = async () => {
  underWay += 1;
  maxUnderWay = Math.max(maxUnderWay, underWay);
  await new Promise<void>((resolve) => held.push(resolve));
  underWay -= 1;
};

const Text = Type.Object({ text: Type.String({ maxLength: 1_000_000 }) });
const access = workspaceMember({ scope: 'members:read' });
const path = '/w/{workspace_uuid}/texts';
const common = { method: 'GET', tag: 'Members', summary: 'A test', access, path } as const;
const holding = { response: { status: 204 }, handler: hold } as const;

const take = defineRoute({ ...common, ...holding, operationId: 'takeText', method: 'POST', body: Text });

const give = defineRoute({
  ...common,
  operationId: 'giveText',
  response: { status: 200, schema: Text },
  handler: async () => {
    await hold();
    return { text: 'x'.repeat(length) };
  },
});

const evaluate = defineRoute({
  ...common,
  ...holding,
  path: '/w/{workspace_uuid}/evaluations',
  operationId: 'evaluateText',
  admission: 'evaluations',
});

const search = defineRoute({
  ...common,
  ...holding,
  path: '/w/{workspace_uuid}/texts/search',
  operationId: 'searchTexts',
  admission: 'searches',
});

const pieces = defineRoute({
  ...common,
  path: '/w/{workspace_uuid}/pieces',
  operationId: 'givePieces',
  response: { status: 200, stream: 'application/x-ndjson', schema: Text, description: 'Pieces' },
  handler: async () =>
    (async function* () {
      yield { text: 'first' };
      await hold();
      yield { text: 'second' };
    })(),
});

const { api, workspace } = useApi({ routes: [take, give, evaluate, search, pieces] });
let one: TestWorkspace;
let other: TestWorkspace;
beforeEach(async () => {
  one = await createWorkspace(workspace.database);
  other = await createWorkspace(workspace.database);
});

const postAs = ({ apiKey }: { apiKey: string }, { path }: TestWorkspace, bytes: number) =>
  api.request('POST', path('/texts'), { apiKey, body: { text: 'x'.repeat(bytes) } });
const post = (workspace: TestWorkspace, bytes: number) => postAs(workspace.admin, workspace, bytes);
const getAs = ({ apiKey }: { apiKey: string }, { path }: TestWorkspace, what: string) =>
  api.request('GET', path(what), { apiKey });
const get = (workspace: TestWorkspace) => getAs(workspace.admin, workspace, '/texts');
const large = largeBodyBytes + 1;

/** Releases all held requests until these are answered with success. */
async function answered(asking: Promise<{ status: number }>[]): Promise<void> {
  const statuses = await statusesOf(asking);
  expect(statuses.filter((status) => ![200, 204].includes(status))).toEqual([]);
}

/** Releases all held requests until these are answered. */
async function statusesOf(asking: Promise<{ status: number }>[]): Promise<number[]> {
  let isOver = false;
  const all = Promise.all(asking).finally(() => {
    isOver = true;
  });
  await waitFor('all are answered', () => {
    for (const go of held.splice(0)) go();
    return isOver;
  });
  return (await all).map(({ status }) => status);
}

const heldOf = (count: number) => waitFor(`${count} are held`, () => held.length === count);

/** Expects that these requests run one at a time, and that one and another run together. */
async function expectTurns(ask: (place: TestWorkspace) => Promise<{ status: number }>): Promise<void> {
  maxUnderWay = 0;
  await answered([ask(one), ask(one), ask(one)]);
  expect(maxUnderWay).toBe(1);

  const asking = [ask(one), ask(other)];
  await heldOf(2);
  await answered(asking);
}

describe('requests with a large body', () => {
  it('run one at a time for an account, and do not block other accounts', async () => {
    await expectTurns((place) => post(place, large));
  });

  it('run two at a time in a workspace, so that one member does not block the others', async () => {
    maxUnderWay = 0;
    const asking = [one.admin, one.admin, one.member].map((person) => postAs(person, one, large));
    await heldOf(2);

    await answered(asking);
    expect(maxUnderWay).toBe(2);
  });

  it('do not occupy the account’s slot while their body is still arriving', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(large) });
    const slow = request(`${api.baseUrl}/api/v2${one.path('/texts')}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${one.admin.apiKey}`,
        'Content-Type': 'application/json',
        'Content-Length': text.length,
        Expect: '100-continue',
      },
    });
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write(text.slice(0, 10));

    await answered([post(one, large)]);

    const answer = once(slow, 'response');
    slow.end(text.slice(10));
    await heldOf(1);
    for (const go of held.splice(0)) go();
    const [{ statusCode }] = await answer;
    expect(statusCode).toBe(204);
  });

  it('do not block small requests of the same workspace', async () => {
    const asking = [post(one, large), post(one, large), post(one, 10), post(one, 10)];
    await heldOf(3);
    await answered(asking);
  });

  it('are rejected with 429 when twenty of the account are waiting', async () => {
    const asking = Array.from({ length: 22 }, () => post(one, large));
    const refused = await Promise.race(asking);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('Retry-After')).toBe('1');

    const statuses = await statusesOf(asking);

    expect(statuses.filter((status) => status === 204)).toHaveLength(21);
  });
});

describe('operations with a recent large response', () => {
  it('run one at a time for an account', async () => {
    length = 10;
    const small = [get(one), get(one)];
    await heldOf(2);
    await answered(small);
    length = largeAnswerLength;
    await answered([get(one), get(one)]);
    maxUnderWay = 0;
    await answered([get(one), get(one), get(one)]);
    expect(maxUnderWay).toBe(1);

    const others = [get(other), get(other)];
    await heldOf(2);
    await answered(others);
  });
});

describe('requests that evaluate expressions', () => {
  const ask = (person = one.admin) => getAs(person, one, '/evaluations');

  it('run one at a time for an account, and do not block colleagues or other requests', async () => {
    maxUnderWay = 0;
    await answered([ask(), ask(), ask()]);
    expect(maxUnderWay).toBe(1);

    const asking = [ask(), ask(), ask(one.member), post(one, large)];
    await heldOf(3);
    await answered(asking);
  });

  it('are all accepted for forty concurrent ones of a workspace', async () => {
    await answered(Array.from({ length: 40 }, () => ask()));
  });
});

describe('searches', () => {
  const ask = (person = one.admin) => getAs(person, one, '/texts/search');

  it('run one at a time for an account and two in a workspace, and do not block others', async () => {
    maxUnderWay = 0;
    await answered([ask(), ask(), ask()]);
    expect(maxUnderWay).toBe(1);

    const asking = [ask(), ask(one.member), getAs(other.admin, other, '/texts/search'), post(one, large)];
    await heldOf(4);
    await answered(asking);
  });

  it('are refused beyond the twenty that wait', async () => {
    const statuses = await statusesOf(Array.from({ length: 40 }, () => ask()));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(21);
  });
});

describe('streamed responses', () => {
  it('produce their pieces one at a time for an account, and do not block other accounts', async () => {
    await expectTurns((place) => getAs(place.admin, place, '/pieces'));
  });
});
