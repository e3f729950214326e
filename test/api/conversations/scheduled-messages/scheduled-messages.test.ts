import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxPending } from '../../../../domain/conversations/scheduled-messages/schedule-message.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { sendFile } from '../../../support/files/send-file.js';
import { days, hours } from '../../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, database, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newChat = async (body: object = {}): Promise<number> => {
  const { memberId } = workspace.member;
  return (await asAdmin('POST', '/chats', { channel: 'web-chat', memberId, ...body })).body.id;
};
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
const send = (chatId: number, body: object, headers: Record<string, string> = {}) =>
  api.request('POST', workspace.path(`/chats/${chatId}/send-assistant-message`), {
    apiKey: workspace.admin.apiKey,
    body,
    headers,
  });
const schedule = async (chatId: number, body: object = {}) => {
  const sent = await send(chatId, { message: 'See you tomorrow', sendAt: ahead(hours(1)), ...body });
  expect(sent).toMatchObject({ status: 201 });
  return sent.body.scheduledMessage;
};
const listOf = (chatId: number) => `/chats/${chatId}/scheduled-messages`;
const inside: typeof database.database.inWorkspace = (id, work) => database.database.inWorkspace(id, work);
const settle = (id: number, change: object) =>
  inside(workspace.workspaceId, (tx) => tx('scheduled_messages').where({ id }).update(change));
const entriesOf = (subject: string) =>
  inside(workspace.workspaceId, (tx) => tx('outbox').where({ subject }).orderBy('id'));

const fill = (chatId: number, count: number) =>
  inside(workspace.workspaceId, async (tx) => {
    await tx.raw(
      `insert into scheduled_messages (workspace_id, chat_id, author_member_id, message, send_at)
       select ?, ?, ?, 'filled', now() + interval '9 days' from generate_series(1, ?)`,
      [workspace.workspaceId, chatId, workspace.admin.memberId, count],
    );
  });

describe('POST send-assistant-message with sendAt', () => {
  it('stores the message, starts its run by the outbox, and leaves the chat as it is', async () => {
    const id = await newChat({ assistantEnabled: false });
    await asMember('POST', `/chats/${id}/messages`, { content: 'Anybody there?' });
    const sendAt = ahead(days(1));

    const sent = await send(id, { message: 'Tomorrow I am', sendAt });

    expect(sent.status).toBe(201);
    expect(sent.body).toEqual({
      success: true,
      scheduledMessage: {
        id: expect.any(Number),
        uuid: expect.any(String),
        chatId: id,
        status: 'pending',
        sendAt,
        message: 'Tomorrow I am',
        files: [],
        memberId: workspace.admin.memberId,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        settledAt: null,
        cancelledByMemberId: null,
        messageId: null,
      },
    });
    const { scheduledMessage } = sent.body;
    expect(await entriesOf(scheduledMessage.uuid)).toMatchObject([
      {
        run_type: 'sendScheduledMessage',
        action: 'start',
        input: { chatId: id, memberId: workspace.member.memberId, scheduledMessageId: scheduledMessage.id },
      },
    ]);
    expect((await asAdmin('GET', `/chats/${id}`)).body).toMatchObject({ needsResponse: true, paused: false });
    expect((await asAdmin('GET', `/chats/${id}/messages`)).body).toHaveLength(1);
  });

  it('takes a time with any offset', async () => {
    const sendAt = `${ahead(days(2)).slice(0, 19)}+05:30`;
    const scheduled = await schedule(await newChat(), { sendAt });
    expect(scheduled.sendAt).toBe(new Date(sendAt).toISOString());
  });

  it('schedules once under an Idempotency-Key', async () => {
    const id = await newChat();
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { message: 'Once', sendAt: ahead(hours(1)) };

    const [first, second] = [await send(id, body, headers), await send(id, body, headers)];

    expect(second.body).toEqual(first.body);
    expect((await asAdmin('GET', listOf(id))).body).toMatchObject({ total: 1 });
  });

  it.each([
    ['a time that has passed', { sendAt: ahead(-1_000) }, '/sendAt'],
    ['a time beyond a year', { sendAt: ahead(days(367)) }, '/sendAt'],
    ['a time without an offset', { sendAt: '2030-01-01T00:00:00' }, '/sendAt'],
    ['a day', { sendAt: '2030-01-01' }, '/sendAt'],
    ['a text of blanks', { message: ' ', sendAt: ahead(hours(1)) }, '/message'],
    [
      'tool calls',
      {
        sendAt: ahead(hours(1)),
        tool_calls: [{ type: 'function', function: { name: 'handoff', arguments: '{}' } }],
      },
      '/sendAt',
    ],
    ['a file that there is not', { sendAt: ahead(hours(1)), files: [999_999_999] }, '/files/0'],
  ])('refuses %s', async (_what, body, pointer) => {
    const id = await newChat();
    const refused = await send(id, { message: 'Later', ...body });
    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual([pointer]);
    expect((await asAdmin('GET', listOf(id))).body).toMatchObject({ total: 0 });
  });

  it('refuses at once what the channel of the chat never carries', async () => {
    const { id: phoneNumberId } = await addPhoneNumber(workspace, { mmsEnabled: true });
    const id = await newChat({ channel: 'phone-sms', phoneNumberId });
    const note = (await sendFile(api, workspace)).body;
    const sendAt = ahead(hours(1));

    const refused = await send(id, { message: 'Look', sendAt, files: [note.id] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'not_mms_media' } });
  });

  it('is bounded in a chat and in the workspace', async () => {
    const id = await newChat();
    const other = await newChat();
    await fill(id, maxPending.ofChat - 1);
    await schedule(id);

    const beyond = await send(id, { message: 'One more', sendAt: ahead(hours(1)) });
    expect(beyond).toMatchObject({ status: 409, body: { code: 'too_many_scheduled_messages' } });
    expect(beyond.body.detail).toContain('In the chat, 50');

    await fill(other, maxPending.ofWorkspace);
    const full = await send(await newChat(), { message: 'One more', sendAt: ahead(hours(1)) });
    expect(full).toMatchObject({ status: 409, body: { code: 'too_many_scheduled_messages' } });
    expect(full.body.detail).toContain('In the workspace, 5000');
    await inside(workspace.workspaceId, (tx) =>
      tx('scheduled_messages').where({ message: 'filled' }).delete(),
    );
  });

  it('keeps to the bound of a chat for many requests at once', async () => {
    const id = await newChat();
    const sendAt = ahead(hours(1));
    await fill(id, maxPending.ofChat - 2);

    const answers = await Promise.all(Array.from({ length: 6 }, () => send(id, { message: 'Now', sendAt })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });
});

describe('the lists of scheduled messages', () => {
  it('have those of a chat and of the workspace, pending ones, soonest first, unless told otherwise', async () => {
    const [one, other] = [await newChat(), await newChat()];
    const late = await schedule(one, { sendAt: ahead(hours(9)) });
    const soon = await schedule(one, { sendAt: ahead(hours(8)) });
    const elsewhere = await schedule(other, { sendAt: ahead(hours(7)) });
    const failed = await schedule(one);
    await settle(failed.id, { state: 'failed', failure_reason: 'opted_out', settled_at: new Date() });

    const idsAt = async (path: string, query = {}) =>
      (await asAdmin('GET', path, undefined, query)).body.items.map(({ id }: { id: number }) => id);
    expect(await idsAt(listOf(one))).toEqual([soon.id, late.id]);
    const all = await idsAt('/scheduled-messages', { pageSize: 100 });
    expect(all).toEqual(expect.arrayContaining([elsewhere.id, soon.id, late.id]));
    expect(all).not.toContain(failed.id);
    expect(await idsAt('/scheduled-messages', { status: 'failed' })).toEqual([failed.id]);
    expect(await idsAt(listOf(one), { sortOrder: 'desc', pageSize: 1 })).toEqual([late.id]);
    expect((await asAdmin('GET', `${listOf(one)}/${failed.id}`)).body).toMatchObject({
      status: 'failed',
      failureReason: 'opted_out',
    });
  });

  it.each([
    ['an unknown status', { status: 'late' }, '/status'],
    ['another order', { sortBy: 'message' }, '/sortBy'],
  ])('refuse %s', async (_what, query, pointer) => {
    const answer = await asAdmin('GET', '/scheduled-messages', undefined, query);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });
});

describe('changing and cancelling', () => {
  it('changes text, files and time, and pokes the run for the time only', async () => {
    const id = await newChat();
    const { id: scheduledId, uuid } = await schedule(id);
    const file = (await sendFile(api, workspace)).body;
    const path = `${listOf(id)}/${scheduledId}`;

    await asAdmin('PUT', path, { message: 'See you on Friday', files: [file.id] });
    expect(await entriesOf(uuid)).toHaveLength(1);
    const sendAt = ahead(days(3));
    const changed = await asAdmin('PUT', path, { sendAt });

    expect(changed).toMatchObject({
      status: 200,
      body: { message: 'See you on Friday', files: [file.id], sendAt, status: 'pending' },
    });
    expect((await asAdmin('GET', path)).body).toEqual(changed.body);
    expect((await entriesOf(uuid)).map(({ action }) => action)).toEqual(['start', 'poke']);
  });

  it('honours If-Match', async () => {
    const id = await newChat();
    const { id: scheduledId } = await schedule(id);
    const path = `${listOf(id)}/${scheduledId}`;
    const etag = (await asAdmin('GET', path)).headers.get('ETag') ?? '';
    const put = (message: string) =>
      api.request('PUT', workspace.path(path), {
        apiKey: workspace.admin.apiKey,
        body: { message },
        headers: { 'If-Match': etag },
      });

    expect((await put('First')).status).toBe(200);
    expect((await put('Second')).status).toBe(412);
  });

  it.each([
    ['a text of blanks', { message: ' ' }, '/message'],
    ['a time that has passed', { sendAt: ahead(-1_000) }, '/sendAt'],
    ['an unknown field', { status: 'sent' }, '/status'],
  ])('refuses %s', async (_what, body, pointer) => {
    const id = await newChat();
    const { id: scheduledId } = await schedule(id);
    const refused = await asAdmin('PUT', `${listOf(id)}/${scheduledId}`, body);
    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual([pointer]);
  });

  it('cancels once, pokes the run, and cannot be changed after', async () => {
    const id = await newChat();
    const { id: scheduledId, uuid } = await schedule(id);
    const path = `${listOf(id)}/${scheduledId}`;

    expect((await asAdmin('DELETE', path)).status).toBe(204);
    expect((await asAdmin('DELETE', path)).status).toBe(204);

    expect((await asAdmin('GET', path)).body).toMatchObject({
      status: 'cancelled',
      cancelledByMemberId: workspace.admin.memberId,
    });
    expect((await entriesOf(uuid)).map(({ action }) => action)).toEqual(['start', 'poke']);
    const late = await asAdmin('PUT', path, { message: 'Too late' });
    expect(late).toMatchObject({ status: 409, body: { code: 'scheduled_message_settled' } });
  });

  it.each(['sent', 'failed'])('is 409 once it is %s', async (state) => {
    const id = await newChat();
    const { id: scheduledId } = await schedule(id);
    await settle(scheduledId, { state, settled_at: new Date() });
    const path = `${listOf(id)}/${scheduledId}`;

    const settled = { status: 409, body: { code: 'scheduled_message_settled' } };
    expect(await asAdmin('DELETE', path)).toMatchObject(settled);
    expect(await asAdmin('PUT', path, { sendAt: ahead(hours(1)) })).toMatchObject(settled);
  });
});

describe('access to scheduled messages', () => {
  let path: string;
  let one: string;
  beforeAll(async () => {
    const id = await newChat();
    path = listOf(id);
    one = `${path}/${(await schedule(id)).id}`;
  });

  describeAccess(
    { api, workspace, otherWorkspace },
    ['the list', 'the list of the workspace', 'one', 'a change', 'a cancellation'],
    () => {
      const read = { method: 'GET', scope: 'chats:read', needsPermission: true } as const;
      const write = { scope: 'chats:admin', needsPermission: true, path: one, namesItem: true } as const;
      return [
        { ...read, path, namesItem: true },
        { ...read, path: '/scheduled-messages', namesItem: false },
        { ...read, path: one, namesItem: true },
        { ...write, method: 'PUT', body: { message: 'Changed' } },
        { ...write, method: 'DELETE' },
      ];
    },
  );

  it('is refused to the member of the chat, who learns of a message when it is sent', async () => {
    expect((await asMember('GET', path)).status).toBe(403);
    expect((await asMember('GET', one)).status).toBe(403);
    const reader = as(await addMember(workspace, { permissions: ['chats:read'] }));
    expect((await reader('GET', one)).status).toBe(200);
    expect((await reader('DELETE', one)).status).toBe(403);
  });

  it('is 404 below another chat or in another workspace', async () => {
    const { id } = await schedule(await newChat());
    const elsewhere = `${listOf(await newChat())}/${id}`;
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await asAdmin(method, elsewhere)).status).toBe(404);
    }
    expect((await asAdmin('PUT', elsewhere, { message: 'Changed' })).status).toBe(404);
    const foreign = callAs(api, otherWorkspace, otherWorkspace.admin);
    expect((await foreign('GET', one)).status).toBe(404);
    expect((await foreign('GET', '/scheduled-messages')).body).toMatchObject({ total: 0 });
  });
});
