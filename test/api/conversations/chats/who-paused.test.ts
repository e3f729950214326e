import { describe, expect, it } from 'vitest';
import { updateChat } from '../../../../db/conversations/chats.js';
import { useApi } from '../../../support/api/use-api.js';
import { publishDefinition } from '../../../support/workspace/definitions.js';
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

  const pauses: [string, () => Promise<number>][] = [
    [
      'a colleague has paused',
      async () => {
        const id = await newChat();
        await update(id, { paused: true }, asAdmin);
        return id;
      },
    ],
    [
      'a colleague has taken over',
      async () => {
        const id = await newChat();
        await reply(id);
        return id;
      },
    ],
    [
      'a task has handed over',
      async () => {
        const { workflowId } = await publishDefinition(workspace, {
          name: 'Nurse',
          taskType: 'handoff',
          configuration: {},
        });
        return newChat({ workflowId });
      },
    ],
    [
      'the member has paused, and a colleague again',
      async () => {
        const id = await newChat();
        await update(id, { paused: true });
        await update(id, { paused: true }, asAdmin);
        return id;
      },
    ],
    [
      'the member has paused, and a colleague has replied in',
      async () => {
        const id = await newChat();
        await update(id, { paused: true });
        await reply(id);
        return id;
      },
    ],
    [
      'somebody paused before it was kept who',
      async () => {
        const id = await newChat();
        await update(id, { paused: true });
        await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
          updateChat(tx, id, { pausedByMemberId: null }),
        );
        return id;
      },
    ],
  ];

  it.each(pauses)('is rejected for a chat that %s', async (_what, pause) => {
    await expectHeld(await pause());
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
