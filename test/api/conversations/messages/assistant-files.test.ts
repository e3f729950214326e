import { describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { png } from '../../../support/files/samples.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addApiKey, addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const newFile = async (sent: SentFile = {}) =>
  (await sendFile(api, workspace, { content: new Uint8Array(png()), filename: 'map.png', ...sent })).body;
const newChat = async (body = {}) =>
  (await asAdmin('POST', '/chats', { channel: 'web-chat', memberId: workspace.member.memberId, ...body }))
    .body;
const newSmsChat = async (mmsEnabled: boolean) => {
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { mmsEnabled });
  return newChat({ channel: 'phone-sms', phoneNumberId });
};
const answer = (chatId: number, body: object, by = asAdmin) =>
  by('POST', `/chats/${chatId}/send-assistant-message`, { message: 'The map', ...body });
const messagesOf = async (chatId: number) => (await asMember('GET', `/chats/${chatId}/messages`)).body;

describe('files of send-assistant-message', () => {
  it('are shown in the web chat, and readable for the member from then on', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const chat = await newChat({ workflowId });
    const file = await newFile();
    expect((await asMember('GET', `/files/${file.id}`)).status).toBe(404);

    expect((await answer(chat.id, { files: [file.id] })).status).toBe(201);

    const [message] = await messagesOf(chat.id);
    expect(message).toMatchObject({
      role: 'assistant',
      content: 'The map',
      files: [{ status: 'stored', id: file.id, filename: 'map.png', fileSize: png().length }],
    });
    expect((await asMember('GET', `/files/${file.id}/download`)).status).toBe(200);
    const assignment = await asMember('GET', `/assignments/${chat.assignmentId}`);
    expect(assignment.body.files).toMatchObject([{ id: file.id }]);
  });

  it('are queued in an SMS chat whose number sends MMS', async () => {
    const { id } = await newSmsChat(true);
    expect((await answer(id, { files: [(await newFile()).id] })).status).toBe(201);
    const [message] = await messagesOf(id);
    expect(message).toMatchObject({ smsDeliveryStatus: 'sent', files: [{ filename: 'map.png' }] });
  });

  it('are refused if the number sends no MMS, and nothing is stored', async () => {
    const { id } = await newSmsChat(false);
    const refused = await answer(id, { files: [(await newFile()).id] });
    expect([refused.status, refused.body.code]).toEqual([400, 'mms_not_enabled']);
    expect(await messagesOf(id)).toEqual([]);
  });

  it('are refused if MMS does not carry them, and not in a web chat', async () => {
    const picture = await newFile();
    const text = await newFile({ content: 'Turn left.', filename: 'way.txt' });
    const files = [picture.id, text.id];
    const refused = await answer((await newSmsChat(true)).id, { files });
    expect([refused.status, refused.body.code]).toEqual([400, 'not_mms_media']);
    expect(pointersOf(refused.body)).toEqual(['/files/1']);
    expect((await answer((await newChat()).id, { files })).status).toBe(201);
  });

  it('are refused if the caller may not read them, as if there were none', async () => {
    const { id } = await newChat();
    const theirs = await sendFile(api, otherWorkspace, {});
    const desk = await addMember(workspace, { permissions: ['chats:admin'] });
    for (const [files, by] of [
      [[(await newFile()).id], as(desk)],
      [[theirs.body.id], asAdmin],
      [[987_654_321], asAdmin],
    ] as const) {
      const refused = await answer(id, { files }, by);
      expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/files/0']]);
    }
    expect(await messagesOf(id)).toEqual([]);
  });

  it('are at most ten, each once', async () => {
    const { id } = await newChat();
    const { id: fileId } = await newFile();
    for (const files of [[fileId, fileId], Array.from({ length: 11 }, (_, at) => at + 1)]) {
      const refused = await answer(id, { files });
      expect(refused.status).toBe(400);
      expect(pointersOf(refused.body)[0]).toMatch(/^\/files/);
    }
  });

  it('need a credential that may read files', async () => {
    const { id } = await newChat();
    const scopes = allScopes.filter((scope) => scope !== 'files:read');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    const refused = await answer(id, { files: [(await newFile()).id] }, as({ apiKey }));
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('files:read') } });
  });
});
