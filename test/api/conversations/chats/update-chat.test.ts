import { describe, expect, it } from 'vitest';
import { insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPhoneNumber, publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { workspace, as, asAdmin, asMember } = useApi();

/** A chat that the member has created. */
const newChat = async (body = {}): Promise<number> =>
  (await asMember('POST', '/chats', { channel: 'web-chat', ...body })).body.id;
const update = (id: number, body: object, as = asMember) => as('PUT', `/chats/${id}`, body);
const read = async (id: number) => (await asAdmin('GET', `/chats/${id}`)).body;
const reply = (id: number) =>
  asAdmin('POST', `/chats/${id}/send-assistant-message`, { message: 'It is me.' });

/** Checks that the member cannot end the pause in any way. */
async function expectHeld(id: number, as = asMember): Promise<void> {
  const { pausedReason, pausedAt } = await read(id);
  for (const body of [{ paused: false }, { pausedReason: 'mine' }, { paused: true, pausedReason: 'mine' }]) {
    const answer = await update(id, body, as);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body.detail).toContain('chats:write');
  }
  expect((await update(id, { paused: true }, as)).status).toBe(200);
  expect((await update(id, { paused: false }, as)).status).toBe(403);
  expect(await read(id)).toMatchObject({ paused: true, pausedReason, pausedAt });
  expect((await update(id, { paused: false }, asAdmin)).body).toMatchObject({ paused: false });
}

describe('changing a chat', () => {
  it('sets the given fields and keeps the rest', async () => {
    const id = await newChat({ title: 'One' });

    const changes = { title: null, muted: true, archived: true };
    const answer = await update(id, changes, asAdmin);

    expect(answer).toMatchObject({ status: 200, body: { ...changes, paused: false } });
    expect((await update(id, {})).body).toMatchObject({ muted: true, archived: true });
  });

  it('pauses with a time and a reason, and clears both on resume', async () => {
    const id = await newChat();

    const paused = await update(id, { paused: true });
    expect(paused.body).toMatchObject({
      paused: true,
      pausedReason: 'operator',
      pausedAt: expect.any(String),
    });
    const renamed = await update(id, { pausedReason: 'holiday' });
    expect(renamed.body).toMatchObject({ pausedReason: 'holiday', pausedAt: paused.body.pausedAt });
    const again = await update(id, { paused: true });
    expect(again.body).toEqual({ ...renamed.body, updatedAt: expect.any(String) });
    const resumed = await update(id, { paused: false });
    expect(resumed.body).toMatchObject({ paused: false, pausedReason: null, pausedAt: null });
  });

  it.each([{ muted: true }, { labelIds: [] }])(
    'requires chats:write for operator fields, also in an own chat: %j',
    async (body) => {
      const answer = await update(await newChat(), body);

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(answer.body.detail).toContain('chats:write');
    },
  );

  it.each([
    ['a reason for no pause', { pausedReason: 'why' }, '/pausedReason'],
    ['an empty title', { title: '' }, '/title'],
    ['a flag that is none', { paused: 'yes' }, '/paused'],
    ['what cannot be changed', { channel: 'email' }, '/channel'],
  ])('refuses %s', async (_what, body, pointer) => {
    const answer = await update(await newChat(), body);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);
  });
});

it('shows an archived SMS chat as reopened once the member writes', async () => {
  const number = await addPhoneNumber(workspace);
  const place = { memberId: workspace.member.memberId, phoneNumberId: number.id };
  const { id } = await workspace.within((tx) =>
    insertChat(tx, { channel: 'phone-sms', chatType: 'simple', ...place }),
  );
  await update(id, { archived: true });

  await asMember('POST', `/chats/${id}/messages`, { content: 'Me again' });

  expect(await read(id)).toMatchObject({ archived: false, lastMessageReceivedAt: expect.any(String) });
});

describe('resuming a chat as its member', () => {
  it('is allowed after the member’s own pause, also after an earlier pause by a colleague', async () => {
    const id = await newChat();
    await update(id, { paused: true }, asAdmin);
    await update(id, { paused: false }, asAdmin);

    await update(id, { paused: true });

    expect((await update(id, { pausedReason: 'holiday' })).body).toMatchObject({ pausedReason: 'holiday' });
    expect(await update(id, { paused: false })).toMatchObject({
      status: 200,
      body: { paused: false, pausedReason: null },
    });
  });

  const byMember = (id: number) => update(id, { paused: true });
  const byColleague = (id: number) => update(id, { paused: true }, asAdmin);
  const byUnknown = (id: number) => workspace.within((tx) => patchChat(tx, id, { pausedByMemberId: null }));

  it.each([
    { what: 'a colleague has paused', steps: [byColleague] },
    { what: 'a colleague has taken over', steps: [reply] },
    { what: 'the member has paused, and a colleague again', steps: [byMember, byColleague] },
    { what: 'the member has paused, and a colleague has replied in', steps: [byMember, reply] },
    { what: 'somebody paused before it was kept who', steps: [byMember, byUnknown] },
  ])('is rejected for a chat that $what', async ({ steps }) => {
    const id = await newChat();
    for (const step of steps) await step(id);
    await expectHeld(id);
  });

  it('is rejected for a chat that a task has handed over', async () => {
    const task = { name: 'Nurse', taskType: 'handoff', configuration: {} } as const;
    const { workflowId } = await publishDefinition(workspace, task);
    await expectHeld(await newChat({ workflowId }));
  });
});

it('lets a participating colleague without the permission end only its own pauses', async () => {
  const colleague = await addMember(workspace, { role: workspace.roles.member });
  const asColleague = as(colleague);
  const participants = [{ memberId: colleague.memberId }];
  const chat = { channel: 'web-chat', memberId: workspace.member.memberId, participants };
  const { id } = (await asAdmin('POST', '/chats', chat)).body;

  await update(id, { paused: true }, asColleague);
  expect((await update(id, { paused: false })).status).toBe(403);
  expect((await update(id, { paused: false }, asColleague)).status).toBe(200);

  await update(id, { paused: true });
  await expectHeld(id, asColleague);
});

it('keeps a colleague’s pause in a race with the member’s resume', async () => {
  const id = await newChat();
  await update(id, { paused: true });

  const [resumed, paused] = await Promise.all([
    update(id, { paused: false }),
    update(id, { paused: true }, asAdmin),
  ]);

  expect([200, 403]).toContain(resumed.status);
  expect(paused.status).toBe(200);
  await expectHeld(id);
});
