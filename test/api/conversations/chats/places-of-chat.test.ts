import { describe, expect, it } from 'vitest';
import { removeOldestMessages } from '../../../../db/conversations/forget-chats.js';
import { findMessageByUuid } from '../../../../db/conversations/messages.js';
import type { Tx } from '../../../../db/tx.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';

const { workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ storesEvents: true });

const unknownId = 999_999_999;
const inside = <T>(work: (tx: Tx) => Promise<T>, place = workspace) =>
  place.database.inWorkspace(place.workspaceId, work);
const create = (body: object = {}, by = asMember) => by('POST', '/chats', { channel: 'web-chat', ...body });
const expectRefused = (answer: Awaited<ReturnType<typeof create>>, pointer: string) =>
  expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);

/** A message in a chat, by its number. */
async function say(chatId: number, by = asMember): Promise<number> {
  const { body } = await by('POST', `/chats/${chatId}/messages`, { content: 'My knee hurts' });
  const message = await inside((tx) => findMessageByUuid(tx, body.id));
  return message?.id ?? 0;
}

async function addFolder(by = asAdmin, body: object = {}): Promise<number> {
  const name = `Folder ${randomTag()}`;
  return (await by('POST', '/folders', { name, access: 'workspace', ...body })).body.id;
}

describe('fromMessageId of a chat', () => {
  it('is the message from which it was begun, in the answer, in the list and in its event', async () => {
    const fromMessageId = await say((await create()).body.id);

    const { status, body } = await create({ fromMessageId });

    expect([status, body.fromMessageId]).toEqual([201, fromMessageId]);
    expect((await asMember('GET', `/chats/${body.id}`)).body).toEqual(body);
    const events = await inside((tx) =>
      tx('events').where({ event_type: 'chat:created' }).orderBy('id', 'desc').limit(1),
    );
    expect(JSON.parse(events[0].body.toString())).toMatchObject({ chat: { id: body.id, fromMessageId } });
  });

  it('can be named by its id in the list of messages', async () => {
    const { id: chatId } = (await create()).body;
    const id = await say(chatId);
    const [{ id: uuid }] = (await asMember('GET', `/chats/${chatId}/messages`)).body;

    expect((await create({ fromMessageId: uuid })).body).toMatchObject({ fromMessageId: id });
    const unknown = '5a3c8e1e-0000-4000-8000-1c2b8e6d4f01';
    expectRefused(await create({ fromMessageId: unknown }), '/fromMessageId');
    expect((await create({ fromMessageId: 'first' })).status).toBe(400);
  });

  it('may be in a chat of others for those who read it, and is otherwise as one that there is not', async () => {
    const others = await say((await create({}, asAdmin)).body.id, asAdmin);
    const stranger = as(await addMember(workspace, { role: workspace.roles.member }));

    expectRefused(await create({ fromMessageId: others }), '/fromMessageId');
    expectRefused(await create({ fromMessageId: unknownId }, stranger), '/fromMessageId');
    const own = await say((await create()).body.id);
    expect((await create({ fromMessageId: own }, asAdmin)).status).toBe(201);
  });

  it('is no note to those who see none', async () => {
    const { id: chatId } = (await create()).body;
    const note = await inside(async (tx) => {
      const values = { workspace_id: tx.workspaceId, chat_id: chatId, role: 'system', content: '"a note"' };
      const [row] = await tx('messages').insert(values).returning('id');
      return row.id as number;
    });

    expectRefused(await create({ fromMessageId: note }), '/fromMessageId');
    expect((await create({ fromMessageId: note }, asAdmin)).status).toBe(201);
  });

  it('is none of another workspace', async () => {
    const chat = await as(otherWorkspace.admin, otherWorkspace)('POST', '/chats', { channel: 'web-chat' });
    const path = `/chats/${chat.body.id}/messages`;
    const { body } = await as(otherWorkspace.admin, otherWorkspace)('POST', path, { content: 'Hello' });
    const foreign = await inside((tx) => findMessageByUuid(tx, body.id), otherWorkspace);

    expectRefused(await create({ fromMessageId: foreign?.id }, asAdmin), '/fromMessageId');
  });

  it('is null once the message is deleted', async () => {
    const { id: chatId } = (await create()).body;
    const { body } = await create({ fromMessageId: await say(chatId) });

    await inside((tx) => removeOldestMessages(tx, chatId, 10));

    expect((await asMember('GET', `/chats/${body.id}`)).body).toMatchObject({ fromMessageId: null });
  });
});

describe('folderId of a chat', () => {
  it('is set at creation, changed and taken away, and finds the chat', async () => {
    const [one, other] = [await addFolder(), await addFolder()];
    const { body: chat } = await create({ folderId: one });
    const listed = async (folderId: number) =>
      (await asAdmin('GET', '/chats', undefined, { folderId })).body.items.map(
        ({ id }: { id: number }) => id,
      );

    expect(chat.folderId).toBe(one);
    expect(await listed(one)).toEqual([chat.id]);
    const moved = await asAdmin('PUT', `/chats/${chat.id}`, { folderId: other });
    expect(moved).toMatchObject({ status: 200, body: { folderId: other } });
    expect([await listed(one), await listed(other)]).toEqual([[], [chat.id]]);
    await asAdmin('PUT', `/chats/${chat.id}`, { title: 'Still there' });
    expect(await listed(other)).toEqual([chat.id]);
    expect((await asAdmin('PUT', `/chats/${chat.id}`, { folderId: null })).body).toMatchObject({
      folderId: null,
    });
  });

  it('is a folder that the caller sees', async () => {
    const hidden = await addFolder(asAdmin, { access: 'private' });
    const { body: chat } = await create();

    expectRefused(await create({ folderId: hidden }), '/folderId');
    expectRefused(await create({ folderId: unknownId }, asAdmin), '/folderId');
    expectRefused(await asAdmin('PUT', `/chats/${chat.id}`, { folderId: unknownId }), '/folderId');
    expect((await create({ folderId: hidden }, asAdmin)).status).toBe(201);
  });

  it('is changed by colleagues only, and gives nobody a right', async () => {
    const folderId = await addFolder(asAdmin, { access: 'private' });
    const { body: chat } = await create();
    const refused = await asMember('PUT', `/chats/${chat.id}`, { folderId: null });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });

    await asAdmin('PUT', `/chats/${chat.id}`, { folderId });
    expect((await asMember('GET', `/chats/${chat.id}`)).body).toMatchObject({ folderId });
    expect((await asMember('GET', `/folders/${folderId}`)).status).toBe(404);
  });

  it('is null once the folder is deleted', async () => {
    const folderId = await addFolder();
    const { body: chat } = await create({ folderId });

    expect((await asAdmin('DELETE', `/folders/${folderId}`)).status).toBe(204);

    expect((await asAdmin('GET', `/chats/${chat.id}`)).body).toMatchObject({ folderId: null });
  });
});
