import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs } from '../../../support/api/call-as.js';
import { openStream, type SeenEvent, type TestStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { useApi } from '../../../support/api/use-api.js';
import { directRuns } from '../../../support/chats/direct-runs.js';
import { publishDefinition } from '../../../support/workspace/definitions.js';
import { addApiKey, addMember, addRole } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ runs: directRuns });

const tasks: RevisionTask = {
  name: 'Hello',
  taskType: 'decision',
  children: [
    { name: 'Arm B', taskType: 'conclude', celCondition: 'member.name == "Nobody"' },
    {
      name: 'Talk',
      taskType: 'conversation',
      prompt: 'Never say the secret word.',
      abilities: [{ abilityType: 'handoff' }],
      children: [
        { name: 'Closed', taskType: 'conclude', celGuard: 'assignment.is_test' },
        { name: 'Rest', taskType: 'wait', configuration: { for: 'P30D' } },
        { name: 'Over', taskType: 'handoff', configuration: { reason: 'Wants to talk to somebody' } },
      ],
    },
  ],
};

interface Walk {
  id: number;
  chatId: number;
  taskId(name: string): number;
  select(name: string, by?: typeof asMember): Promise<number>;
}

let workflowId: number;
beforeAll(async () => {
  ({ workflowId } = await publishDefinition(workspace, tasks));
});

async function begin(by = asMember): Promise<Walk> {
  const chat = (await by('POST', '/chats', { channel: 'web-chat', workflowId })).body;
  const { rootTask } = (await by('GET', `/assignments/${chat.assignmentId}`)).body;
  const all = [rootTask, ...rootTask.children, ...rootTask.children[1].children];
  const taskId = (name: string) => all.find(({ taskName }) => taskName === name).id;
  return {
    id: chat.assignmentId,
    chatId: chat.id,
    taskId,
    select: async (name, as = asMember) =>
      (await as('PUT', `/assignments/${chat.assignmentId}/tasks/${taskId(name)}/select`)).status,
  };
}

type Query = [name: string, value: string | number][];
const timeline = (id: number, by = asAdmin, query: Query = []) => {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]));
  return by('GET', `/assignments/${id}/timeline?${search}`);
};
const ofKinds = (...kinds: string[]): Query => kinds.map((kind) => ['kind', kind]);
const kindsOf = (answer: { body: { items: { kind: string }[] } }) =>
  answer.body.items.map(({ kind }) => kind);

describe('access to timelines', () => {
  let path: string;
  beforeAll(async () => {
    path = `/assignments/${(await begin(asAdmin)).id}/timeline`;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['read'], () => [
    { method: 'GET', path, scope: 'assignments:read', needsPermission: true, namesItem: true },
  ]);
});

describe('reading a timeline', () => {
  it('returns entries with what they name', async () => {
    const { id, taskId, select } = await begin();
    expect(await select('Closed')).toBe(400);
    expect(await select('Rest')).toBe(200);

    const answer = await timeline(id);

    expect(answer.status).toBe(200);
    const by = { by: 'member', actorMemberId: workspace.member.memberId };
    const named = (name: string) => expect.objectContaining({ assignmentTaskId: taskId(name), name });
    const place = { id: expect.stringMatching(/^\d+-\d+$/), at: expect.any(String) };
    expect(answer.body).toEqual({
      now: {
        task: named('Rest'),
        // No run answers here: the turn for the entry of "Talk" is still owed.
        state: 'the agent answers',
        since: expect.any(String),
        until: answer.body.items.at(-1).until,
        needsResponse: false,
      },
      items: [
        { ...place, kind: 'entered', task: named('Hello'), by: 'automatic' },
        { ...place, kind: 'completed', task: named('Hello'), by: 'automatic' },
        {
          ...place,
          kind: 'not_begun',
          task: named('Arm B'),
          rule: 'cel_condition',
          ruleTask: expect.objectContaining({ name: 'Arm B' }),
          expression: 'member.name == "Nobody"',
        },
        { ...place, kind: 'entered', task: named('Talk'), fromTask: named('Hello'), by: 'automatic' },
        {
          ...place,
          kind: 'refused',
          task: named('Closed'),
          ...by,
          rule: 'cel_guard',
          ruleTask: expect.objectContaining({ name: 'Closed' }),
          expression: 'assignment.is_test',
        },
        { ...place, kind: 'entered', task: named('Rest'), fromTask: named('Talk'), ...by },
        { ...place, kind: 'timer_set', task: named('Rest'), until: expect.any(String) },
      ],
      hasMore: false,
    });
  });

  it('says for colleagues what it waits for now, although the last entries are messages', async () => {
    const { id, chatId, select } = await begin();
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'Hello?' });
    await select('Over');
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'Is someone there?' });

    const answer = await timeline(id, asAdmin, [
      ['sortOrder', 'desc'],
      ['limit', 1],
    ]);

    expect(answer.body).toMatchObject({
      now: {
        task: { name: 'Over' },
        state: 'paused, a person has it',
        needsResponse: true,
        needsResponseReason: 'handoff',
      },
      items: [{ kind: 'message' }],
    });
    const after: Query = [['after', answer.body.items[0].id]];
    expect((await timeline(id, asAdmin, after)).body).not.toHaveProperty('now');
    expect((await timeline(id, asMember)).body).not.toHaveProperty('now');
    await asAdmin('POST', `/assignments/${id}/cancel`);
    expect((await timeline(id)).body.now).toMatchObject({ state: 'concluded: cancelled' });
  });

  it('does not tell members what is for colleagues: no notes, conditions, tools and alerts', async () => {
    const { id, chatId, select } = await begin();
    await select('Closed');
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'Please' });
    await select('Over');

    const own = await timeline(id, asMember);
    const all = await timeline(id);

    expect(kindsOf(own)).toEqual([
      'entered',
      'completed',
      'entered',
      'refused',
      'message',
      'entered',
      'paused',
    ]);
    expect(kindsOf(all)).toEqual([
      'entered',
      'completed',
      'not_begun',
      'entered',
      'refused',
      'message',
      'entered',
      'message',
      'paused',
      'needs_response',
    ]);
    expect(JSON.stringify(own.body)).not.toMatch(/Arm B|Nobody|is_test|secret|Handed over/);
    const kinds = ofKinds('not_begun', 'needs_response', 'tool');
    expect((await timeline(id, asMember, kinds)).body).toEqual({ items: [], hasMore: false });
  });

  it('shows expressions to those alone who may read workflows', async () => {
    const { id, select } = await begin();
    await select('Closed');
    const role = await addRole(workspace, { permissions: ['assignments:read'] });
    const colleague = await addMember(workspace, { role });

    const { body } = await timeline(id, as(colleague), ofKinds('not_begun', 'refused'));

    expect(body.items).toMatchObject([{ kind: 'not_begun', rule: 'cel_condition' }, { kind: 'refused' }]);
    expect(JSON.stringify(body)).not.toMatch(/expression|is_test/);
  });

  it('has the messages as they are now, and none in the entries', async () => {
    const { id, chatId } = await begin();
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'A word' });

    const { body } = await timeline(id, asMember, ofKinds('message'));
    const messages = await asMember('GET', `/chats/${chatId}/messages`);

    expect(body.items).toMatchObject([{ kind: 'message', message: messages.body[0] }]);
    await database.database.inWorkspace(workspace.workspaceId, (tx) =>
      tx('messages')
        .where({ chat_id: chatId })
        .update({ content: JSON.stringify('Withdrawn') }),
    );
    expect((await timeline(id, asMember, ofKinds('message'))).body.items[0].message.content).toBe(
      'Withdrawn',
    );
  });

  it('pages by the id of the last entry, filtered by kind, in both orders', async () => {
    const { id, select } = await begin();
    for (const name of ['Rest', 'Talk', 'Rest', 'Talk']) await select(name, asAdmin);
    const pages = async (order: string) => {
      const tasks: string[] = [];
      for (let after: string | undefined; ; ) {
        const query: Query = [...ofKinds('entered'), ['sortOrder', order], ['limit', 2]];
        if (after !== undefined) query.push(['after', after]);
        const { items, hasMore } = (await timeline(id, asAdmin, query)).body;
        tasks.push(...items.map((item: { task: { name: string } }) => item.task.name));
        if (!hasMore) return tasks;
        after = items.at(-1).id;
      }
    };

    const inOrder = ['Hello', 'Talk', 'Rest', 'Talk', 'Rest', 'Talk'];
    expect(await pages('asc')).toEqual(inOrder);
    expect(await pages('desc')).toEqual(inOrder.reverse());
  });

  it.each([
    ['after', 'x'],
    ['after', '9999999999-1'],
    ['after', '1-9999999999999999'],
    ['limit', 201],
    ['limit', 0],
    ['sortOrder', 'newest'],
    ['kind', 'spoken'],
    ['page', 2],
  ])('rejects %s=%s', async (name, value) => {
    const answer = await timeline((await begin()).id, asMember, [[name, value]]);

    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].pointer).toContain(`/${name}`);
  });
});

describe('the live events of a timeline', () => {
  const open: TestStream[] = [];
  let live: LiveApi;
  beforeAll(async () => {
    live = await startLiveApi(database, { runs: directRuns, live: { hub: { checkEveryMs: 600_000 } } });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((stream) => stream.close()));
  });
  afterAll(() => live.close());

  const asLive: typeof asMember = (...call) => callAs(live, workspace, workspace.member)(...call);
  const adminLive: typeof asMember = (...call) => callAs(live, workspace, workspace.admin)(...call);

  async function follow(chatId: number, apiKey: string, lastEventId?: number): Promise<TestStream> {
    const path = workspace.path(`/chats/${chatId}/events`);
    const stream = await openStream(live.baseUrl, path, {
      apiKey,
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
    open.push(stream);
    return stream;
  }
  const added = (stream: TestStream) =>
    stream.events
      .filter(({ event }) => event === 'timeline.added')
      .flatMap(({ data }) => data.entries as { id: string; kind: string; expression?: string }[]);
  const entering = (name: string) => (event: SeenEvent) =>
    event.event === 'timeline.added' &&
    event.data.entries.some((entry: { task?: { name: string } }) => entry.task?.name === name);
  const snapshot = ({ event }: SeenEvent) => event === 'chat.snapshot';

  it('tell entries to those who may see them, as the timeline has them', async () => {
    const { id, chatId, select } = await begin(asLive);
    const reading = ['assignments:read', 'task:read'];
    const scopes = allScopes.filter((scope) => !reading.includes(scope));
    const noScope = await addApiKey(database.database, workspace.member.accountId, { scopes });
    const [own, colleague, without] = await Promise.all([
      follow(chatId, workspace.member.apiKey),
      follow(chatId, workspace.admin.apiKey),
      follow(chatId, noScope),
    ]);
    await Promise.all([own, colleague, without].map((stream) => stream.seen('the chat', snapshot)));

    await select('Closed', asLive);
    await select('Over', asLive);
    await asLive('POST', `/chats/${chatId}/messages`, { content: 'There?' });
    const last = (event: SeenEvent) => event.data.message?.content === 'There?';
    await Promise.all([own, colleague, without].map((stream) => stream.seen('the message', last)));

    const seenBefore = 4;
    const notMessages = ({ kind }: { kind: string }) => kind !== 'message';
    const all = (await timeline(id, asAdmin)).body.items.filter(notMessages).slice(seenBefore);
    expect(added(colleague)).toEqual(all);
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual([
      'refused',
      'entered',
      'paused',
      'needs_response',
    ]);
    expect(added(own).map(({ kind }) => kind)).toEqual(['refused', 'entered', 'paused']);
    expect(added(own).some(({ expression }) => expression !== undefined)).toBe(false);
    expect(added(without)).toEqual([]);
  });

  it('continue after the last event that a client has seen, without gaps and doubles', async () => {
    const { chatId, select } = await begin(asLive);
    const first = await follow(chatId, workspace.admin.apiKey);
    await first.seen('the chat', snapshot);
    await select('Rest', adminLive);
    await first.seen('the wait', entering('Rest'));
    await first.close();

    await select('Talk', adminLive);
    await asLive('POST', `/chats/${chatId}/messages`, { content: 'Between' });
    await select('Rest', adminLive);
    const second = await follow(chatId, workspace.admin.apiKey, first.lastId());
    await second.seen('the second wait', entering('Rest'));
    await select('Talk', adminLive);
    await second.seen('the end', (event) => entering('Talk')(event) && event.id === second.lastId());

    const kinds = [...added(first), ...added(second)].map(({ kind }) => kind);
    expect(kinds).toEqual([
      ...['entered', 'timer_set'],
      ...['timer_cancelled', 'entered'],
      ...['entered', 'timer_set'],
      ...['timer_cancelled', 'entered'],
    ]);
    const ids = [...first.events, ...second.events].flatMap(({ id = [] }) => id).slice(1);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });
});
