import { describe, expect, it } from 'vitest';
import { lockFile } from '../../../../db/files/files.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { png } from '../../../support/files/samples.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newFile = async (sent: SentFile = {}) =>
  (await sendFile(api, workspace, { content: new Uint8Array(png()), filename: 'knee.png', ...sent })).body;
const memberFile = () => newFile({ by: workspace.member });
const newChat = async (by = asMember, body = {}): Promise<number> =>
  (await by('POST', '/chats', { channel: 'web-chat', ...body })).body.id;
const say = (chatId: number, body: object, by = asMember) => by('POST', `/chats/${chatId}/messages`, body);
const attachmentsOf = (fileId: number) =>
  workspace.within((tx) => tx('file_attachments').where({ file_id: fileId }).orderBy('id'));

describe('a message with files', () => {
  it('shows them where it is answered and listed, and in the timeline of an assignment', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const chat = (await asMember('POST', '/chats', { channel: 'web-chat', workflowId })).body;
    const file = await memberFile();

    const answer = await say(chat.id, { content: 'My knee', files: [file.id] });

    const files = [
      {
        status: 'stored',
        id: file.id,
        uuid: file.uuid,
        filename: 'knee.png',
        mimeType: 'image/png',
        fileSize: png().length,
      },
    ];
    expect(answer).toMatchObject({ status: 201, body: { content: 'My knee', files } });
    const [listed] = (await asMember('GET', `/chats/${chat.id}/messages`)).body;
    expect(listed.files).toEqual(files);
    const timeline = await asAdmin('GET', `/assignments/${chat.assignmentId}/timeline`);
    expect(timeline.body.items.flatMap((item: { message?: object }) => item.message ?? [])[0]).toMatchObject({
      files,
    });
    expect(await attachmentsOf(file.id)).toMatchObject([
      {
        member_id: workspace.member.memberId,
        chat_id: chat.id,
        assignment_id: chat.assignmentId,
        attached_by_member_id: workspace.member.memberId,
      },
    ]);
  });

  it('needs no words', async () => {
    const file = await memberFile();
    const answer = await say(await newChat(), { content: '', files: [file.id] });
    expect(answer).toMatchObject({ status: 201, body: { content: '', files: [{ id: file.id }] } });
  });

  it('lets the people in the chat read them, and no other member', async () => {
    const [friend, stranger] = [await addMember(workspace), await addMember(workspace)];
    const { memberId } = workspace.member;
    const chatId = await newChat(asAdmin, { memberId, participants: [{ memberId: friend.memberId }] });
    const file = await newFile({ by: workspace.admin });
    const read = async (member: typeof friend) => (await as(member)('GET', `/files/${file.id}`)).status;
    expect([await read(friend), await read(workspace.member)]).toEqual([404, 404]);

    expect(await say(chatId, { content: 'The plan', files: [file.id] }, asAdmin)).toMatchObject({
      status: 201,
    });

    expect([await read(friend), await read(workspace.member)]).toEqual([200, 200]);
    expect(await read(stranger)).toBe(404);
    expect((await asMember('GET', `/files/${file.id}/download`)).status).toBe(200);
  });

  it('stays as it was sent when the file is renamed and deleted', async () => {
    const chatId = await newChat();
    const file = await memberFile();
    await say(chatId, { content: 'My knee', files: [file.id] });

    await asMember('DELETE', `/files/${file.id}`);

    const [listed] = (await asMember('GET', `/chats/${chatId}/messages`)).body;
    expect(listed.files).toMatchObject([{ status: 'stored', id: file.id, filename: 'knee.png' }]);
    expect((await asMember('GET', `/files/${file.id}`)).status).toBe(404);
    expect(await attachmentsOf(file.id)).toEqual([]);
  });

  it('refuses what the caller may not read as if it did not exist', async () => {
    const chatId = await newChat();
    const [mine, hidden] = [await memberFile(), await newFile()];
    const foreign = (await sendFile(api, otherWorkspace)).body;

    const told: string[] = [];
    for (const unknown of [hidden.id, foreign.id, 999_999_999]) {
      const answer = await say(chatId, { content: 'See', files: [mine.id, unknown] });
      expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/files/1']]);
      told.push(answer.body.errors[0].message);
    }

    expect(new Set(told).size).toBe(1);
    expect((await asMember('GET', `/chats/${chatId}/messages`)).body).toEqual([]);
    expect(await attachmentsOf(mine.id)).toEqual([]);
  });

  it.each([
    ['more than ten', Array.from({ length: 11 }, (_, index) => index + 1)],
    ['the same one twice', [1, 1]],
    ['what is no id', ['one']],
  ])('refuses %s', async (_, files) => {
    const answer = await say(await newChat(), { content: 'See', files });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)[0]).toMatch(/^\/files/);
  });

  it('needs a credential that may read files', async () => {
    const file = await memberFile();
    const scopes = allScopes.filter((scope) => scope !== 'files:read');
    const { accountId } = workspace.member;
    const apiKey = await addApiKey(workspace.database, accountId, { scopes });
    const chatId = await newChat();

    const answer = await say(chatId, { content: 'See', files: [file.id] }, as({ apiKey }));

    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('files:read') } });
    expect(await say(chatId, { content: 'Only words' }, as({ apiKey }))).toMatchObject({ status: 201 });
  });

  it('is refused where the file is deleted first', async () => {
    const chatId = await newChat();
    const file = await memberFile();
    let answer: Promise<{ status: number; body: object }> | undefined;

    await workspace.within(async (tx) => {
      await lockFile(tx, file.id, { memberId: 0, readsWorkspace: true, readsAll: true });
      await tx('files').where({ id: file.id }).delete();
      answer = say(chatId, { content: 'See', files: [file.id] });
      await whenWaitedFor(tx);
    });

    expect(await answer).toMatchObject({ status: 400 });
    expect((await asMember('GET', `/chats/${chatId}/messages`)).body).toEqual([]);
  });

  it('is stored once for one Idempotency-Key, with one attachment', async () => {
    const chatId = await newChat();
    const file = await memberFile();
    const post = () =>
      api.request('POST', workspace.path(`/chats/${chatId}/messages`), {
        apiKey: workspace.member.apiKey,
        headers: { 'idempotency-key': `files-${file.id}` },
        body: { content: 'See', files: [file.id] },
      });

    const answers = [await post(), await post()];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await attachmentsOf(file.id)).toHaveLength(1);
  });
});
