import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { subjectsWaiting } from '../../../../db/outbox.js';
import { advanceChat } from '../../../../domain/conversations/chats/advance-chat.js';
import { cancelFollowUp } from '../../../../domain/conversations/chats/cancel-follow-up.js';
import { call as calls, reply, Turn } from '../../../domain/agent/take-round.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addFollowUp, type FollowUpOptions } from '../../../support/chats/follow-ups.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { days, hours } from '../../../support/lib/moved-clock.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();
let chat: FreeChat;
const stageEach = () =>
  beforeEach(async () => {
    chat = await stageFreeChat(workspace);
    await emptyOutbox(database);
  });

const path = () => `/chats/${chat.chatId}/follow-ups`;
const add = (options: FollowUpOptions = {}) => addFollowUp(workspace, chat.chatId, options);
const list = (query: Record<string, string | number> = {}) => asAdmin('GET', path(), undefined, query);
const cancel = (id: number) => asAdmin('DELETE', `${path()}/${id}`);
const idsOf = async (query: Record<string, string | number>): Promise<number[]> =>
  (await list(query)).body.items.map(({ id }: { id: number }) => id);
const day = (number: number) => new Date(Date.parse('2030-01-01T00:00:00Z') + days(number));

/** Whether a poke of the run is in the outbox. */
async function isPoked(runType: 'answerChat' | 'runAssignment', subject: string): Promise<boolean> {
  const waiting = await workspace.within((tx) => subjectsWaiting(tx, runType, [subject]));
  return waiting.has(subject);
}

describe('listing follow-ups', () => {
  stageEach();

  it('returns pending follow-ups, soonest first, with their scheduler', async () => {
    await chat.memberWrites('Remind me');
    const turn = new Turn(chat);
    const scheduled = { after: 'P2D', instructions: 'Ask about the knee' };
    await turn.run(
      calls(['schedule_follow_up', scheduled], ['schedule_follow_up', { ...scheduled, after: 'P1D' }]),
    );
    await turn.take(reply('I will'));
    const { assistantMemberId } = await chat.chat();

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, page: 1, pageSize: 25, totalPages: 1 });
    expect(assistantMemberId).not.toBeNull();
    expect(body.items).toEqual(
      [1, 2].map((number) => ({
        id: expect.any(Number),
        uuid: expect.any(String),
        chatId: chat.chatId,
        status: 'pending',
        dueAt: new Date(chat.clock.now().getTime() + days(number)).toISOString(),
        instructions: 'Ask about the knee',
        scheduledByMemberId: assistantMemberId,
        createdAt: expect.any(String),
        firedAt: null,
        cancelledAt: null,
        cancelledByMemberId: null,
      })),
    );
  });

  it('returns the colleague as the scheduler of a tool call sent as the assistant', async () => {
    const scheduled = { after: 'P1D', instructions: 'Ask about the knee' };
    const tool = { name: 'schedule_follow_up', arguments: JSON.stringify(scheduled) };
    const body = { message: 'We will come back.', tool_calls: [{ type: 'function', function: tool }] };
    const sent = await asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, body);

    expect(sent.status).toBe(201);
    const { memberId } = workspace.admin;
    expect((await list()).body.items).toMatchObject([{ scheduledByMemberId: memberId }]);
  });

  it('filters by status', async () => {
    const byMemberId = workspace.admin.memberId;
    const pending = await add({ dueAt: day(3) });
    const fired = await add({ dueAt: day(1), firedAt: day(1) });
    const cancelled = await add({ dueAt: day(2), cancelled: { at: day(0), byMemberId } });

    expect(await idsOf({})).toEqual([pending]);
    expect(await idsOf({ status: 'pending' })).toEqual([pending]);
    expect(await idsOf({ status: 'fired' })).toEqual([fired]);
    expect(await idsOf({ status: 'cancelled' })).toEqual([cancelled]);
    const both = await asAdmin('GET', `${path()}?status=fired&status=cancelled`);
    const by = { cancelledAt: day(0).toISOString(), cancelledByMemberId: byMemberId };
    expect(both.body.items).toMatchObject([
      { id: fired, status: 'fired', firedAt: day(1).toISOString() },
      { id: cancelled, status: 'cancelled', ...by },
    ]);
  });

  it('paginates in both orders and omits other chats', async () => {
    const ids: number[] = [];
    for (let number = 0; number < 5; number += 1) ids.push(await add({ dueAt: day(number) }));
    const other = await stageFreeChat(workspace);
    await addFollowUp(workspace, other.chatId);

    const second = await list({ page: 2, pageSize: 2 });

    expect(second.body).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 });
    expect(second.body.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2, 4));
    expect(await idsOf({ sortOrder: 'desc', pageSize: 2 })).toEqual(ids.toReversed().slice(0, 2));
    expect(await idsOf({ page: 4, pageSize: 2 })).toEqual([]);
  });

  it('cuts a page that exceeds 2 MiB', async () => {
    for (let number = 0; number < 6; number += 1) await add({ instructions: 'x'.repeat(500_000) });

    const { body } = await list();

    expect(body).toMatchObject({ total: 6, isCut: true });
    expect(body.items).toHaveLength(4);
    expect(await idsOf({ pageSize: 3, page: 2 })).toHaveLength(3);
  });

  it.each([
    ['an unknown status', 'status', 'late'],
    ['another order', 'sortBy', 'instructions'],
    ['an unknown parameter', 'memberId', 1],
    ['a page that is too large', 'pageSize', 101],
  ])('refuses %s', async (_, name, value) => {
    const answer = await list({ [name]: value });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(answer.body)).toEqual([`/${name}`]);
  });
});

describe('cancelling a follow-up', () => {
  stageEach();

  it('prevents the firing and pokes the run of the chat', async () => {
    const dueAt = new Date(chat.clock.now().getTime() + hours(2));
    const id = await add({ dueAt });
    expect(await chat.advance()).toEqual({ kind: 'wait', until: dueAt.getTime() });

    const answer = await cancel(id);

    expect(answer).toMatchObject({ status: 204 });
    expect(await isPoked('answerChat', (await chat.chat()).uuid)).toBe(true);
    expect(await chat.advance()).toEqual({ kind: 'idle' });
    chat.clock.advance(hours(3));
    expect(await chat.advance()).toEqual({ kind: 'idle' });
    expect(await chat.messages()).toEqual([]);
    expect((await list({ status: 'cancelled' })).body.items).toMatchObject([
      { id, firedAt: null, cancelledByMemberId: workspace.admin.memberId },
    ]);
  });

  it('keeps the other follow-ups of the chat', async () => {
    const [first, second] = [hours(2), hours(4)].map((gap) => new Date(chat.clock.now().getTime() + gap));
    const id = await add({ dueAt: first as Date });
    const other = await add({ dueAt: second as Date });

    await cancel(id);

    expect(await idsOf({})).toEqual([other]);
    expect(await chat.advance()).toEqual({ kind: 'wait', until: second?.getTime() });
  });

  it('changes nothing the second time', async () => {
    const id = await add();
    await cancel(id);
    const [before] = (await list({ status: 'cancelled' })).body.items;
    await emptyOutbox(database);

    expect((await asMember('DELETE', `${path()}/${id}`)).status).toBe(204);
    expect((await list({ status: 'cancelled' })).body.items).toEqual([before]);
    expect(await isPoked('answerChat', (await chat.chat()).uuid)).toBe(false);
  });

  it('returns 409 after the firing', async () => {
    const firedAt = day(1);
    const id = await add({ firedAt });

    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'follow_up_fired' } });
    expect((await list({ status: 'fired' })).body.items).toMatchObject([
      { id, firedAt: firedAt.toISOString(), cancelledAt: null },
    ]);
  });

  it.each([{ paused: true }, { archived: true }, { assistantEnabled: false }])(
    'pokes the run of a chat that is %o',
    async (change) => {
      const id = await add();
      await chat.update(change);
      await emptyOutbox(database);

      expect((await cancel(id)).status).toBe(204);
      expect(await isPoked('answerChat', (await chat.chat()).uuid)).toBe(true);
    },
  );

  it('pokes the run of the active assignment in the chat', async () => {
    const staged = await stageAssignment(workspace, {
      name: 'Talk',
      taskType: 'conversation',
      abilities: [{ abilityType: 'conclude' }],
    });
    const id = await addFollowUp(workspace, staged.chatId);
    await emptyOutbox(database);

    expect((await asAdmin('DELETE', `/chats/${staged.chatId}/follow-ups/${id}`)).status).toBe(204);
    expect(await isPoked('runAssignment', (await staged.assignment()).uuid)).toBe(true);
    expect(await isPoked('answerChat', (await staged.chat()).uuid)).toBe(false);
  });
});

describe('a cancellation concurrent with the firing', () => {
  stageEach();

  const dueNow = () => add({ dueAt: chat.clock.now() });
  const outcome = async () => {
    const { body } = await asAdmin('GET', `${path()}?status=fired&status=cancelled`);
    return body.items.map(({ status }: { status: string }) => status);
  };

  it('waits for the firing and is then rejected', async () => {
    const id = await dueNow();
    const [cancelling] = await workspace.database.atomically(chat.workspaceId, async (within) => {
      await advanceChat({ ...chat.context, db: within }, chat);
      const waiting = [cancel(id)];
      await within.inWorkspace(chat.workspaceId, (tx) => whenWaitedFor(tx));
      return waiting;
    });

    expect(await cancelling).toMatchObject({ status: 409, body: { code: 'follow_up_fired' } });
    expect(await outcome()).toEqual(['fired']);
  });

  it('blocks the firing, which then finds nothing', async () => {
    const id = await dueNow();
    const [firing] = await workspace.database.atomically(chat.workspaceId, async (within) => {
      await cancelFollowUp({ ...chat.colleague, db: within }, chat.chatId, id);
      const waiting = [chat.advance()];
      await within.inWorkspace(chat.workspaceId, (tx) => whenWaitedFor(tx));
      return waiting;
    });

    expect(await firing).toEqual({ kind: 'idle' });
    expect(await outcome()).toEqual(['cancelled']);
    expect(await chat.messages()).toEqual([]);
  });

  it('results in exactly one of both outcomes for many requests at once', async () => {
    const id = await dueNow();

    const [steps, answers] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => chat.advance())),
      Promise.all(Array.from({ length: 10 }, () => cancel(id))),
    ]);

    const [status] = await outcome();
    const fired = status === 'fired';
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([fired ? 409 : 204]));
    expect(steps.some(({ kind }) => kind === 'turn')).toBe(fired);
    expect(await chat.messages()).toHaveLength(fired ? 1 : 0);
  });
});

describe('access to follow-ups', () => {
  const openChat = async (member: TestMember, body: object = {}): Promise<number> =>
    (await as(member)('POST', '/chats', { channel: 'web-chat', ...body })).body.id;
  const pathOf = (chatId: number | string) => `/chats/${chatId}/follow-ups`;
  let othersPath: string;
  let followUpId: number;
  beforeAll(async () => {
    const chatId = await openChat(workspace.admin);
    othersPath = pathOf(chatId);
    followUpId = await addFollowUp(workspace, chatId);
  });

  describeAccess({ api, workspace, otherWorkspace }, ['the list', 'a cancellation'], () => {
    const item = `${othersPath}/${followUpId}`;
    return [
      { method: 'GET', path: othersPath, scope: 'chats:read', needsPermission: true, namesItem: true },
      { method: 'DELETE', path: item, scope: 'chats:write', needsPermission: true, namesItem: true },
    ];
  });

  it.each([
    ['chats:read', 200, 403],
    ['chats:write', 403, 204],
  ] as const)(
    'needs the permission in a chat of another: %s lists with %i, cancels with %i',
    async (permission, listed, cancelled) => {
      const call = as(await addMember(workspace, { permissions: [permission] }));

      expect((await call('GET', othersPath)).status).toBe(listed);
      expect((await call('DELETE', `${othersPath}/${followUpId}`)).status).toBe(cancelled);
    },
  );

  it('lets the member list without instructions and cancel those of an own chat', async () => {
    const { member } = workspace;
    const own = await openChat(member);
    const id = await addFollowUp(workspace, own);

    const { body } = await as(member)('GET', pathOf(own));
    expect(body.items).toMatchObject([{ id, instructions: null, status: 'pending' }]);
    const seen = await asAdmin('GET', pathOf(own));
    expect(seen.body.items).toMatchObject([{ id, instructions: 'Ask how it went' }]);

    expect((await as(member)('DELETE', `${pathOf(own)}/${id}`)).status).toBe(204);
    const after = await asAdmin('GET', pathOf(own), undefined, { status: 'cancelled' });
    expect(after.body.items).toMatchObject([{ id, cancelledByMemberId: member.memberId }]);
  });

  it('lets a participating colleague list with instructions and cancel', async () => {
    const colleague = await addMember(workspace, { role: workspace.roles.member });
    const participants = [{ memberId: colleague.memberId, role: 'operator' }];
    const shared = await openChat(workspace.admin, { participants });
    const id = await addFollowUp(workspace, shared);

    const { body } = await as(colleague)('GET', pathOf(shared));
    expect(body.items).toMatchObject([{ id, instructions: 'Ask how it went' }]);
    expect((await as(colleague)('DELETE', `${pathOf(shared)}/${id}`)).status).toBe(204);
  });

  it.each(['999999999', '99999999999999999999'])('is 404 for id %s', async (id) => {
    expect((await asAdmin('DELETE', `${othersPath}/${id}`)).status).toBe(404);
    expect((await asAdmin('GET', pathOf(id))).status).toBe(404);
  });

  it('is 404 for a follow-up of another chat or workspace', async () => {
    const sibling = await addFollowUp(workspace, await openChat(workspace.admin));
    const asForeign = callAs(api, otherWorkspace, otherWorkspace.admin);
    const foreignChat = await asForeign('POST', '/chats', { channel: 'web-chat' });
    const foreign = await addFollowUp(otherWorkspace, foreignChat.body.id);

    const notFound = { status: 404, body: { detail: 'Follow-up not found.' } };
    for (const id of [sibling, foreign]) {
      expect(await asAdmin('DELETE', `${othersPath}/${id}`)).toMatchObject(notFound);
    }
  });
});
