import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChat, insertChat, lockChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage, type NewMessage } from '../../../../db/conversations/messages.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { whenWaitedFor, whenWaiting } from '../../../support/db/locks.js';
import { days, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const clock = new MovedClock();
const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ clock });

/** A member of each test, so that its chats are apart. */
let patient: TestMember;
let colleague: TestMember;
beforeEach(async () => {
  patient = await addMember(workspace);
  colleague = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
});

/** A web chat of the patient that no agent answers, in which it has written. */
async function addWaiting(text = 'Hello?'): Promise<number> {
  const { body } = await as(patient)('POST', '/chats', { channel: 'web-chat', assistantEnabled: false });
  await write(body.id, text);
  return body.id;
}
const write = (chatId: number, content: unknown) =>
  as(patient)('POST', `/chats/${chatId}/messages`, { content });
const answer = (chatId: number, who: TestMember = workspace.admin) =>
  as(who)('POST', `/chats/${chatId}/send-assistant-message`, { message: 'Yes' });
const claim = (chatId: number, who: TestMember = colleague, body: object = {}) =>
  as(who)('POST', `/chats/${chatId}/claim`, body);
const release = (chatId: number, who: TestMember = colleague) => as(who)('DELETE', `/chats/${chatId}/claim`);
const snooze = (chatId: number, body: object = {}, who: TestMember = colleague) =>
  as(who)('POST', `/chats/${chatId}/snooze`, body);
const wake = (chatId: number) => as(colleague)('DELETE', `/chats/${chatId}/snooze`);
const fromNow = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

const queue = async (query = '', who: TestMember = colleague) => {
  const { status, body } = await as(who)(
    'GET',
    `/chats/needs-response?memberId=${patient.memberId}&${query}`,
  );
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};
const idsIn = async (query = '', who: TestMember = colleague): Promise<number[]> =>
  (await queue(query, who)).items.map(({ id }: { id: number }) => id);
const inQueue = async (chatId: number) => {
  const found = (await queue('state=all')).items.find(({ id }: { id: number }) => id === chatId);
  if (found === undefined) throw new Error('the chat is not in the queue');
  return found;
};

describe('access to the queue', () => {
  let path: string;
  beforeAll(async () => {
    patient = await addMember(workspace);
    path = `/chats/${await addWaiting()}`;
  });
  describeAccess({ api, workspace, otherWorkspace }, ['claim', 'release', 'snooze', 'wake'], () => {
    const every = { scope: 'chats:write', needsPermission: true, namesItem: true } as const;
    return [
      { ...every, method: 'POST', path: `${path}/claim`, body: {} },
      { ...every, method: 'DELETE', path: `${path}/claim`, served: 204 },
      { ...every, method: 'POST', path: `${path}/snooze`, body: {} },
      { ...every, method: 'DELETE', path: `${path}/snooze`, served: 204 },
    ];
  });

  it('is for those who read the chats in it, also for writers', async () => {
    const writer = await addMember(workspace, { permissions: ['chats:write'] });
    const chatId = await addWaiting();
    for (const answered of [claim(chatId, writer), release(chatId, writer), snooze(chatId, {}, writer)]) {
      expect(await answered).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });
});

describe('a chat in the queue', () => {
  it('waits since it needs a person, and the time stays when the member writes again', async () => {
    const chatId = await addWaiting();
    const { waitingSince } = await inQueue(chatId);
    await write(chatId, 'Hello?!');
    expect((await inQueue(chatId)).waitingSince).toBe(waitingSince);

    await answer(chatId);
    expect(await idsIn('state=all')).toEqual([]);
    await write(chatId, 'Thank you, and when?');
    expect(Date.parse((await inQueue(chatId)).waitingSince)).toBeGreaterThan(Date.parse(waitingSince));
  });

  it('keeps its time when the reason changes', async () => {
    const chatId = await addWaiting();
    const before = await inQueue(chatId);
    await workspace.within((tx) => alertColleague(tx, { id: chatId }, 'delivery_failed'));
    expect(await inQueue(chatId)).toMatchObject({
      waitingSince: before.waitingSince,
      needsResponseReason: 'delivery_failed',
    });
  });

  it('has its last message, of anyone, without notes and tool traffic', async () => {
    const chatId = await addWaiting('First');
    const add = (message: Omit<NewMessage, 'chatId'>) =>
      workspace.within((tx) => insertMessage(tx, { chatId, ...message }));
    const last = await add({ role: 'assistant', author: 'workflow', content: 'Please wait' });
    await add({ role: 'system', author: 'system', content: 'A note' });
    await add({ role: 'tool', author: 'system', content: 'A result', toolCallId: 'call' });
    await add({ role: 'assistant', author: 'agent', content: null });
    await add({ role: 'user', author: 'member', content: 'Inside', subConversationOf: 'call' });

    expect((await inQueue(chatId)).lastMessage).toEqual({
      id: last.uuid,
      role: 'assistant',
      author: 'workflow',
      text: 'Please wait',
      createdAt: last.createdAt.toISOString(),
    });
  });

  it('shows the text of a last message of parts, cut', async () => {
    const chatId = await addWaiting();
    await write(chatId, [
      { type: 'text', text: 'Look' },
      { type: 'text', text: 'x'.repeat(600) },
    ]);
    const { lastMessage } = await inQueue(chatId);
    expect(lastMessage).toMatchObject({ role: 'user', author: 'member', memberId: patient.memberId });
    expect(lastMessage.text).toBe(`Look\n${'x'.repeat(495)}`);
  });

  it('has no last message where nothing was said', async () => {
    const { id } = await workspace.within(async (tx) => {
      const added = await insertChat(tx, {
        channel: 'web-chat',
        chatType: 'simple',
        memberId: patient.memberId,
      });
      return alertColleague(tx, added, 'handoff');
    });
    expect(await inQueue(id)).not.toHaveProperty('lastMessage');
  });

  it('is found by its reason', async () => {
    const [silent, handed] = [await addWaiting(), await addWaiting()];
    await workspace.within((tx) => alertColleague(tx, { id: handed }, 'handoff'));
    expect(await idsIn('reason=handoff')).toEqual([handed]);
    expect(await idsIn('reason=no_agent')).toEqual([silent]);
    expect(await idsIn('reason=no_agent&reason=handoff')).toEqual([silent, handed]);
  });

  describe('because a task hands it over', () => {
    const handedOver = 'the task “Nurse” handed the chat over';
    /** A chat of the patient, which is created in the task. */
    const begin = async (configuration: Record<string, unknown>) => {
      const task = { name: 'Nurse', taskType: 'handoff', configuration } as const;
      const { workflowId } = await publishDefinition(workspace, task);
      const chat = { channel: 'web-chat', workflowId, memberId: patient.memberId };
      return (await asAdmin('POST', '/chats', chat)).body;
    };

    it('says so with the name of the task', async () => {
      const { id, needsResponseText } = await begin({});
      expect(needsResponseText).toBe(handedOver);
      expect((await inQueue(id)).needsResponseText).toBe(handedOver);
    });

    it('tells colleagues the reason of the task, not the member', async () => {
      const { id } = await begin({ reason: 'Severe pain' });
      expect((await inQueue(id)).needsResponseText).toBe(`${handedOver}: Severe pain`);
      expect((await queue('', patient)).items[0].needsResponseText).toBe(handedOver);
      expect((await as(patient)('GET', `/chats/${id}`)).body.needsResponseText).toBe(handedOver);
    });
  });
});

describe('pages of the queue', () => {
  it('pass over no chat when others are answered or begin to wait meanwhile', async () => {
    const [one, two, three, four] = [
      await addWaiting(),
      await addWaiting(),
      await addWaiting(),
      await addWaiting(),
    ];
    const first = await queue('pageSize=2');
    await answer(one);
    await answer(two);
    const five = await addWaiting();
    const second = await queue(`pageSize=2&after=${first.next}`);
    await answer(three);
    const third = await queue(`pageSize=2&after=${second.next}`);

    expect([first, second, third].map(({ items }) => items.map(({ id }: { id: number }) => id))).toEqual([
      [one, two],
      [three, four],
      [five],
    ]);
    expect(third).not.toHaveProperty('next');
    expect(await queue(`after=${first.next}`)).toMatchObject({ total: 2, page: 1 });
  });

  it('go on among chats that wait since the same moment, in both directions', async () => {
    const ids = [await addWaiting(), await addWaiting(), await addWaiting()];
    const since = new Date('2030-01-01T00:00:00.123Z');
    for (const id of ids) await workspace.within((tx) => patchChat(tx, id, { needsResponseSince: since }));
    for (const [order, expected] of [
      ['asc', ids],
      ['desc', [...ids].reverse()],
    ] as const) {
      const found: number[] = [];
      let after = '';
      for (let page = 0; page < 3; page += 1) {
        const { items, next = '' } = await queue(`pageSize=1&sortOrder=${order}&${after}`);
        found.push(items[0].id);
        after = `after=${next}`;
      }
      expect(found).toEqual(expected);
    }
  });

  it.each([
    ['a place that is none', 'after=nonsense', '/after'],
    ['a place in another order', 'after=1.1&sortBy=createdAt', '/sortBy'],
    ['a place and a page', 'after=1.1&page=2', '/page'],
    ['an unknown state', 'state=asleep', '/state'],
    ['an unknown reason', 'reason=boredom', '/reason'],
  ])('refuse %s', async (_what, query, pointer) => {
    const { status, body } = await asAdmin('GET', `/chats/needs-response?${query}`);
    expect([status, pointersOf(body)]).toEqual([400, [pointer]]);
  });
});

describe('a claim', () => {
  it('takes the chat from the queue of the others until it ends', async () => {
    const chatId = await addWaiting();
    const { status, body } = await claim(chatId, colleague, { minutes: 15 });
    const until = fromNow(minutes(15));
    expect([status, body.claim]).toEqual([200, { memberId: colleague.memberId, until }]);

    expect(await idsIn()).toEqual([]);
    expect(await idsIn('state=claimed', workspace.admin)).toEqual([chatId]);
    expect(await idsIn('state=mine')).toEqual([chatId]);
    expect(await idsIn('state=mine', workspace.admin)).toEqual([]);

    clock.advance(minutes(15));
    expect(await idsIn()).toEqual([chatId]);
    expect(await idsIn('state=mine')).toEqual([]);
    expect((await claim(chatId, workspace.admin)).status).toBe(200);
  });

  it('lasts for half an hour by default, and is prolonged by another', async () => {
    const chatId = await addWaiting();
    expect((await claim(chatId)).body.claim.until).toBe(fromNow(minutes(30)));
    clock.advance(minutes(20));
    expect((await claim(chatId)).body.claim.until).toBe(fromNow(minutes(30)));
  });

  it('is made by one of those who claim at once, and refused to the others', async () => {
    const chatId = await addWaiting();
    const others = await Promise.all(
      Array.from({ length: 5 }, () => addMember(workspace, { permissions: ['chats:read', 'chats:write'] })),
    );
    const answers = await Promise.all(others.map((one) => claim(chatId, one)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('claimed_by_another'));
  });

  it('ends with the answer, of anyone, and the next call finds none', async () => {
    const chatId = await addWaiting();
    await claim(chatId);
    expect((await answer(chatId)).status).toBe(201);
    expect(await workspace.within((tx) => findChat(tx, chatId))).toMatchObject({
      claimedByMemberId: null,
      claimedUntil: null,
      needsResponseSince: null,
    });
    await write(chatId, 'One more thing');
    expect(await idsIn()).toEqual([chatId]);
  });

  it('stays while the member writes again', async () => {
    const chatId = await addWaiting();
    await claim(chatId);
    await write(chatId, 'Are you there?');
    expect(await idsIn('state=mine')).toEqual([chatId]);
  });

  it('that has ended does not keep its colleague from answering, although another has claimed the chat', async () => {
    const chatId = await addWaiting();
    await claim(chatId);
    clock.advance(minutes(31));
    expect((await claim(chatId, workspace.admin)).status).toBe(200);
    expect((await claim(chatId)).body.code).toBe('claimed_by_another');

    expect((await answer(chatId)).status).toBe(201);
    expect((await release(chatId, workspace.admin)).status).toBe(204);
    expect((await claim(chatId, workspace.admin)).body.code).toBe('not_waiting');
  });

  it('is refused for a chat that is answered while the claim waits', async () => {
    const chatId = await addWaiting();
    let claimed: ReturnType<typeof claim> | undefined;
    await workspace.within(async (tx) => {
      await lockChat(tx, chatId);
      claimed = claim(chatId);
      await whenWaitedFor(tx);
      await patchChat(tx, chatId, { needsResponse: false, needsResponseReason: null });
    });
    expect(await claimed).toMatchObject({ status: 409, body: { code: 'not_waiting' } });
  });

  it.each([{ archived: true }, { muted: true }])('is refused for a chat with %o', async (changes) => {
    const chatId = await addWaiting();
    await workspace.within((tx) => patchChat(tx, chatId, changes));
    expect(await claim(chatId)).toMatchObject({ status: 409, body: { code: 'not_waiting' } });
  });

  it('of a chat in which the agent speaks pauses the agent, until it is given back with a note', async () => {
    const assistant = await createAssistant(workspace.context(), { name: 'A', instructions: 'Be brief.' });
    const { body: chat } = await as(patient)('POST', '/chats', {
      channel: 'web-chat',
      assistantMemberId: assistant.memberId,
    });

    expect((await claim(chat.id)).body).toMatchObject({
      paused: true,
      pausedReason: 'operator',
      needsResponse: true,
      needsResponseReason: 'taken_over',
      claim: { memberId: colleague.memberId },
    });
    expect(await idsIn('state=mine')).toEqual([chat.id]);
    expect((await claim(chat.id, workspace.admin)).body.code).toBe('claimed_by_another');
    expect((await answer(chat.id, colleague)).status).toBe(403);

    const path = `/chats/${chat.id}`;
    const given = await as(colleague)('PUT', path, { paused: false, note: 'She wants Friday.' });

    expect(given).toMatchObject({ status: 200, body: { paused: false, needsResponse: false } });
    expect(await idsIn('state=all')).toEqual([]);
    const read = async (who: TestMember) => (await as(who)('GET', `${path}/messages`)).body;
    expect(JSON.stringify(await read(colleague))).toContain('Returned to the agent: She wants Friday.');
    expect(JSON.stringify(await read(patient))).not.toContain('Friday');
  });

  it('of a chat in which the agent owes an answer says that the member waits', async () => {
    const assistant = await createAssistant(workspace.context(), { name: 'A', instructions: 'Be brief.' });
    const { body: chat } = await as(patient)('POST', '/chats', {
      channel: 'web-chat',
      assistantMemberId: assistant.memberId,
    });
    await write(chat.id, 'Hello?');

    expect((await claim(chat.id)).body).toMatchObject({ needsResponseReason: 'agent_silent' });
  });

  it('is refused where the agent is paused and nothing waits', async () => {
    const { body: chat } = await as(patient)('POST', '/chats', { channel: 'web-chat' });
    await workspace.within((tx) =>
      patchChat(tx, chat.id, { paused: true, pausedAt: clock.now(), pausedReason: 'other' }),
    );

    expect((await claim(chat.id)).body.code).toBe('not_waiting');
  });

  it.each([0, 1_441, 1.5])('of %s minutes is refused', async (count) => {
    const { status, body } = await claim(await addWaiting(), colleague, { minutes: count });
    expect([status, pointersOf(body)]).toEqual([400, ['/minutes']]);
  });

  it('is released by its colleague or by an admin, once or twice, and by no other', async () => {
    const chatId = await addWaiting();
    await claim(chatId);
    const other = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
    expect(await release(chatId, other)).toMatchObject({ status: 409, body: { code: 'claimed_by_another' } });
    expect(await idsIn()).toEqual([]);
    for (let times = 0; times < 2; times += 1) expect((await release(chatId)).status).toBe(204);
    expect(await idsIn()).toEqual([chatId]);

    await claim(chatId);
    expect((await release(chatId, workspace.admin)).status).toBe(204);
    expect(await idsIn()).toEqual([chatId]);
  });
});

describe('a snooze', () => {
  it('puts the chat off until its time, and keeps the time since which it waits', async () => {
    const chatId = await addWaiting();
    const { waitingSince } = await inQueue(chatId);
    const at = clock.now().toISOString();
    const until = fromNow(days(2));
    const { status, body } = await snooze(chatId, { until });
    expect([status, body.snooze, body.waitingSince]).toEqual([200, { at, until }, waitingSince]);

    expect([await idsIn(), await idsIn('state=snoozed')]).toEqual([[], [chatId]]);
    clock.advance(days(2));
    expect([await idsIn(), await idsIn('state=snoozed')]).toEqual([[chatId], []]);
    expect((await inQueue(chatId)).waitingSince).toBe(waitingSince);
  });

  it.each([{}, { until: null }, { until: '2099-01-01T00:00:00Z' }])(
    'of %o ends when the member writes',
    async (body) => {
      const chatId = await addWaiting();
      const until = body.until === '2099-01-01T00:00:00Z' ? fromNow(days(300)) : body.until;
      expect((await snooze(chatId, until === undefined ? {} : { until })).status).toBe(200);
      clock.advance(days(200));
      expect(await idsIn()).toEqual([]);
      await write(chatId, 'I am back');
      expect(await idsIn()).toEqual([chatId]);
      expect(await inQueue(chatId)).not.toHaveProperty('snooze');
    },
  );

  it('does not end when a colleague writes as a participant', async () => {
    const chatId = await addWaiting();
    await workspace.within((tx) => patchChat(tx, chatId, { channel: 'phone-sms' }));
    await asAdmin('POST', `/chats/${chatId}/participants`, { memberId: colleague.memberId });
    await snooze(chatId);
    const posted = await as(colleague)('POST', `/chats/${chatId}/messages`, { content: 'I have called' });
    expect([posted.status, await idsIn()]).toEqual([201, []]);
  });

  it('ends when something new alerts a colleague, and by hand', async () => {
    const chatId = await addWaiting();
    await snooze(chatId);
    await workspace.within((tx) => alertColleague(tx, { id: chatId }, 'delivery_failed'));
    expect(await idsIn()).toEqual([chatId]);

    await snooze(chatId);
    for (let times = 0; times < 2; times += 1) expect((await wake(chatId)).status).toBe(204);
    expect(await idsIn()).toEqual([chatId]);
  });

  it('ends with a claim, and ends the claim of its colleague', async () => {
    const chatId = await addWaiting();
    await snooze(chatId);
    await claim(chatId);
    expect(await inQueue(chatId)).not.toHaveProperty('snooze');
    await snooze(chatId);
    expect(await inQueue(chatId)).not.toHaveProperty('claim');
  });

  it('is refused for a chat that another has claimed or that does not wait', async () => {
    const chatId = await addWaiting();
    await claim(chatId, workspace.admin);
    expect((await snooze(chatId)).body.code).toBe('claimed_by_another');
    await answer(chatId);
    expect((await snooze(chatId)).body.code).toBe('not_waiting');
  });

  it.each([
    ['the past', -1],
    ['more than a year', days(367)],
  ])('until %s is refused', async (_what, inMs) => {
    const { status, body } = await snooze(await addWaiting(), { until: fromNow(inMs) });
    expect([status, pointersOf(body)]).toEqual([400, ['/until']]);
  });

  it('is undone by a message of the member that waits for it', async () => {
    const chatId = await addWaiting();
    const { snoozed, written } = await workspace.within(async (tx) => {
      await lockChat(tx, chatId);
      const snoozed = snooze(chatId);
      await whenWaiting(workspace, 1);
      const written = write(chatId, 'Still there?');
      await whenWaiting(workspace, 2);
      return { snoozed, written };
    });
    expect([(await snoozed).status, (await written).status]).toEqual([200, 201]);
    expect(await idsIn()).toEqual([chatId]);
  });

  it('is refused where the member has written since the colleague looked', async () => {
    const chatId = await addWaiting();
    const lastMessageId = (await inQueue(chatId)).lastMessage.id;
    await write(chatId, 'It is getting worse');
    const refused = await snooze(chatId, { lastMessageId });
    expect(refused).toMatchObject({ status: 409, body: { code: 'newer_message' } });
    expect(await idsIn()).toEqual([chatId]);
    const seen = (await inQueue(chatId)).lastMessage.id;
    expect((await snooze(chatId, { lastMessageId: seen })).status).toBe(200);
  });
});

describe('members without the permission chats:read', () => {
  it('see their own chats that wait, whatever colleagues do with them', async () => {
    const [claimed, snoozed] = [await addWaiting(), await addWaiting()];
    await claim(claimed);
    await snooze(snoozed);
    const { items } = await queue('', patient);
    expect(items.map(({ id }: { id: number }) => id)).toEqual([claimed, snoozed]);
    for (const item of items) {
      expect(Object.keys(item)).not.toContain('claim');
      expect(Object.keys(item)).not.toContain('snooze');
      expect(item.lastMessage.text).toBe('Hello?');
    }
    expect((await queue('state=all', patient)).total).toBe(2);
    for (const state of ['open', 'claimed', 'mine', 'snoozed']) {
      const refused = await as(patient)('GET', `/chats/needs-response?state=${state}`);
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await asMember('GET', `/chats/needs-response?memberId=${patient.memberId}`)).toMatchObject({
      body: { total: 0 },
    });
  });
});
