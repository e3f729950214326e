import { describe, expect, it } from 'vitest';
import { routes } from '../../../api/resources/index.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { useRecords } from '../../support/records/use-records.js';
import type { TestMember } from '../../support/workspace/factories.js';
import { addMember } from '../../support/workspace/factories.js';

const suite = useRecords();
const { api, workspace, asAdmin } = suite;

type Sender = Pick<TestMember, 'apiKey'>;
const send = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  { apiKey }: Sender = workspace.admin,
) => api.request(method, workspace.path(path), { apiKey, headers, body });
const tagOf = async (path: string, sender?: Sender) =>
  (await send('GET', path, {}, undefined, sender)).headers.get('ETag') ?? '';
const ifMatch = (tag: string) => ({ 'If-Match': tag });

const newWorkflow = async () =>
  `/workflows/${(await asAdmin('POST', '/workflows', { name: 'Intake' })).body.id}`;
const resources = {
  workflow: {
    make: newWorkflow,
    changes: [{ name: 'One' }, { name: 'Two' }],
    locked: 'workflow_definitions',
    changed: 'workflow_definitions',
  },
  revision: {
    make: async () => {
      const revisions = `${await newWorkflow()}/revisions`;
      return `${revisions}/${(await asAdmin('POST', revisions, {})).body.id}`;
    },
    changes: [{ name: 'One' }, { name: 'Two', rootTask: { name: 'Done', taskType: 'conclude' } }],
    locked: 'workflow_definitions',
    changed: 'workflow_revisions',
  },
  record: {
    make: async () => `${suite.collection.path}/${(await suite.create(suite.collection)).id}`,
    changes: [
      { fieldValues: { since: '2024-02-29', contact: '+12025550123' } },
      { fieldValues: { reason: 'Fever' } },
    ],
    locked: 'data_records',
    changed: 'data_records',
  },
  chat: {
    make: async () => `/chats/${(await asAdmin('POST', '/chats', { channel: 'web-chat' })).body.id}`,
    changes: [{ title: 'One' }, { title: 'Two', muted: true }],
    locked: 'chats',
    changed: 'chats',
  },
} as const;

describe.each(Object.entries(resources))('a %s', (_, { make, changes, locked, changed }) => {
  const [one, two] = changes;

  it('has the same ETag until it changes, and 304 answers If-None-Match with it', async () => {
    const path = await make();
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(await tagOf(path)).toBe(tag);

    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await send('GET', path, { 'If-None-Match': known });
      expect(answer).toMatchObject({ status: 304, body: '' });
      expect(answer.headers.get('ETag')).toBe(tag);
    }
    expect((await send('HEAD', path)).headers.get('ETag')).toBe(tag);

    await send('PUT', path, {}, one);
    expect(await tagOf(path)).not.toBe(tag);
    expect(await send('GET', path, { 'If-None-Match': tag })).toMatchObject({ status: 200 });
  });

  it('is changed with its ETag in If-Match, and the answer has the next one', async () => {
    const path = await make();

    const first = await send('PUT', path, ifMatch(await tagOf(path)), one);
    expect(first).toMatchObject({ status: 200, body: one });
    expect(first.headers.get('ETag')).toBe(await tagOf(path));

    const second = await send('PUT', path, ifMatch(`"other", ${first.headers.get('ETag')}`), two);
    expect(second.status).toBe(200);
    expect(await send('PUT', path, ifMatch('*'), one)).toMatchObject({ status: 200, body: one });
  });

  it.each(['"other"', 'weak'])('is not changed with %s in If-Match', async (given) => {
    const path = await make();
    const before = (await send('GET', path)).body;
    const tag = given === 'weak' ? `W/${await tagOf(path)}` : given;

    const answer = await send('PUT', path, ifMatch(tag), one);

    expect(answer).toMatchObject({ status: 412, body: { code: 'precondition_failed', errors: [] } });
    expect((await send('GET', path)).body).toEqual(before);
  });

  it('is changed by one of two requests with the same If-Match at once', async () => {
    const path = await make();
    const tag = await tagOf(path);

    const answers = await Promise.all([one, two].map((body) => send('PUT', path, ifMatch(tag), body)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('is not changed with If-Match once a change that it waited for is committed', async () => {
    const path = await make();
    const tag = await tagOf(path);
    const ids = path.match(/\d+/g)?.map(Number) ?? [];
    const id = locked === 'workflow_definitions' ? ids[0] : ids.at(-1);

    const { waiting } = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await tx(locked).where({ id }).forUpdate().select('id');
      const waiting = send('PUT', path, ifMatch(tag), one);
      await whenWaitedFor(tx);
      await tx(changed)
        .where({ id: ids.at(-1) })
        .update({ updated_at: new Date('2020-01-01') });
      return { waiting };
    });

    expect(await waiting).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  });

  it('that does not exist is 404 with If-Match as without', async () => {
    const path = (await make()).replace(/\d+$/, '999999999');
    expect(await send('PUT', path, ifMatch('*'), one)).toMatchObject({ status: 404 });
    expect(await send('PUT', path, ifMatch('"other"'), one)).toMatchObject({ status: 404 });
  });

  it.each(['abc', '"a', '"a" "b"', '*, "a"', ''])('refuses %o as If-Match', async (header) => {
    const answer = await send('PUT', await make(), ifMatch(header), one);
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_if_match' } });
  });

  it('is shown to be invalid before it is shown to have changed', async () => {
    const answer = await send('PUT', await make(), ifMatch('"other"'), { colour: 'red' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('If-Match', () => {
  it('guards deletions', async () => {
    const path = await resources.record.make();
    const tag = await tagOf(path);
    await send('PUT', path, {}, { fieldValues: { reason: 'Fever' } });

    expect(await send('DELETE', path, ifMatch(tag))).toMatchObject({ status: 412 });
    expect(await send('DELETE', path, ifMatch(await tagOf(path)))).toMatchObject({ status: 200 });
    expect(await send('GET', path)).toMatchObject({ status: 404 });
  });

  it('guards the publication of a draft as it was read', async () => {
    const path = await resources.revision.make();
    const rootTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } };
    await send('PUT', path, {}, { rootTask });
    const tag = await tagOf(path);
    await send('PUT', path, {}, { name: 'Other' });

    expect(await send('POST', `${path}/publish`, ifMatch(tag))).toMatchObject({ status: 412 });
    const answer = await send('POST', `${path}/publish`, ifMatch(await tagOf(path)));
    expect(answer).toMatchObject({ status: 200, body: { state: 'published', active: true } });
    expect(answer.headers.get('ETag')).toBe(await tagOf(path));
  });

  it('does not tell more than the operation itself', async () => {
    const path = await resources.chat.make();
    const stranger = await addMember(workspace, { permissions: [] });
    const tag = await tagOf(path);

    for (const given of [tag, '"other"', '*']) {
      const answer = await send('PUT', path, ifMatch(given), { title: 'Mine' }, stranger);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  it('leaves nothing of a change that is refused', async () => {
    const path = await resources.record.make();
    const before = await tagOf(path);
    const answer = await send('PUT', path, ifMatch(before), { fieldValues: { since: 'no date' } });
    expect(answer).toMatchObject({ status: 400 });
    expect(await tagOf(path)).toBe(before);
  });

  it.each([
    ['If-Match', 'a list', 'POST', '/members', { name: 'Robin Sample' }],
    ['If-Match', 'a resource without ETags', 'PUT', '/members', { name: 'Robin Sample' }],
    ['If-None-Match', 'a resource with ETags', 'PUT', '/workflows', { name: 'One' }],
  ])('%s is refused for %s', async (header, _, method, collection, body) => {
    const id = collection === '/members' ? workspace.member.memberId : (await newWorkflow()).split('/')[2];
    const path = method === 'POST' ? collection : `${collection}/${id}`;
    const answer = await send(method, path, { [header]: '"a"' }, body);
    expect(answer).toMatchObject({ status: 412, body: { code: 'precondition_not_supported' } });
    expect(answer.body.detail).toContain(header);
  });
});

describe('the declarations', () => {
  it('name a GET with an ETag that has the same parameters', () => {
    const conditional = routes.filter((route) => route.ifMatch !== undefined);
    expect(conditional.map(({ operationId }) => operationId)).toContain('updateChat');
    for (const { path, ifMatch } of conditional) {
      expect(ifMatch?.current.method).toBe('GET');
      expect(ifMatch?.current.etag).not.toBe(false);
      expect(path.startsWith(ifMatch?.current.path ?? '-')).toBe(true);
    }
  });
});
