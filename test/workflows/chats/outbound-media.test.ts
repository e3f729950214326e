import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StorageBusy } from '../../../providers/storage/storage.js';
import { png } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import type { SmsConversation } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

/** Whether the worker finds the bytes of files. The api always does. */
let isStorageAway = false;
const scratch = scratchStorage();
const { head } = scratch.storage;
scratch.storage.head = async (key) => {
  if (isStorageAway) throw new StorageBusy('http_503');
  return head.call(scratch.storage, key);
};

const { system, workspace } = useSmsWorkspace(() => startSystem({ storage: scratch.storage }));

const newPicture = async (fields: Record<string, string> = {}): Promise<number> => {
  const sent = { content: new Uint8Array(png()), filename: 'map.png', fields };
  return (await sendFile(system.api, workspace, sent)).body.id;
};
const post = (chat: SmsConversation, message: string, files: number[] = []) =>
  workspace.asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, { message, files });
const sha256 = createHash('sha256').update(png()).digest('hex');
const picture = { httpStatus: 200, contentType: 'image/png', bytes: png().length, sha256 };
const sentTo = (chat: SmsConversation) => system.carrier.sentTo(chat.texter.phone);
const lastOf = async (chat: SmsConversation) => (await chat.history()).at(-1);

async function openChatWith(knobs: Parameters<typeof system.carrier.turn>[0] = {}) {
  const chat = await workspace.openChat();
  await system.carrier.turn({ handset: chat.texter.phone, ...knobs });
  return chat;
}

describe('a picture that a colleague sends to a handset', () => {
  it('is fetched by the carrier from an address of the service, and delivered once', async () => {
    const chat = await openChatWith();
    const fileId = await newPicture();

    expect((await post(chat, 'The map', [fileId])).status).toBe(201);

    await chat.settled();
    const [message, ...others] = await sentTo(chat);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ body: 'The map', status: 'delivered', fetches: [picture] });
    expect(message?.sid).toMatch(/^MM/);
    const address = `${system.api.baseUrl}/api/v2${workspace.path(`/files/${fileId}/contents/map.png`)}`;
    expect(message?.mediaUrls[0]).toContain(address);
    expect(await lastOf(chat)).toMatchObject({ smsDeliveryStatus: 'delivered' });
  });

  it('may be fetched late, and twice', async () => {
    const chat = await openChatWith({ mediaFetchMs: 200, mediaFetchedTwice: true });

    await post(chat, 'The map', [await newPicture()]);

    await chat.settled();
    expect(await sentTo(chat)).toMatchObject([{ status: 'delivered', fetches: [picture, picture] }]);
  });

  it('is not sent again after the carrier has refused it, and a colleague is alerted', async () => {
    const chat = await openChatWith({ mediaRefused: { code: 12300 } });

    await post(chat, 'The map', [await newPicture()]);

    await chat.settled();
    expect(await sentTo(chat)).toMatchObject([{ status: 'failed', errorCode: 12300 }]);
    expect(await lastOf(chat)).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryErrorCode: '12300',
      smsDeliveryFailureReason: 'media_refused',
    });
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'delivery_failed' });
  });

  it('is not sent twice when the answer of the carrier is lost', async () => {
    const chat = await openChatWith({ dropConnectionAfterAccept: 1 });

    await post(chat, 'The map', [await newPicture()]);

    await chat.settled();
    expect(await sentTo(chat)).toMatchObject([{ body: 'The map', status: 'delivered' }]);
  });

  it('waits while the storage is away, and holds up no reply', async () => {
    const chat = await openChatWith();
    isStorageAway = true;
    onTestFinished(() => {
      isStorageAway = false;
    });
    await post(chat, 'The map', [await newPicture()]);
    await waitFor('the picture is held', async () => {
      const rows = await workspace.select(
        'select 1 from deliveries where chat_id = ? and not_before is not null',
        [chat.chatId],
      );
      return rows.length === 1;
    });
    await chat.write('Where are you?');

    await post(chat, 'At the corner');

    await waitFor('the reply is there', async () => (await chat.carried()).includes('At the corner'));
    expect(await chat.carried()).toEqual(['At the corner']);
    isStorageAway = false;
    await workspace.select('update deliveries set not_before = now() where chat_id = ? returning id', [
      chat.chatId,
    ]);
    await system.run('deliverMessages', chat.chatUuid).signal('poke');
    await chat.settled();
    expect(await chat.carried()).toEqual(['At the corner', 'The map']);
  });
});

describe('files that the agent sends', () => {
  it('reach the handset before the reply, once, and are files of the assignment', async () => {
    const fileId = await newPicture({ access: 'workspace' });
    const definitionId = await workspace.publish({
      name: 'Help',
      taskType: 'conversation',
      prompt: 'Help the member to find us.',
      abilities: [{ abilityType: 'send_files' }, { abilityType: 'handoff' }],
    });
    const texter = await workspace.addTexter();
    await system.model.script(
      [calling('send_files', { files: [fileId], text: 'This is the map.' }), { content: 'See you soon.' }],
      texter.row.name ?? '',
    );

    const assignment = await workspace.begin(definitionId, texter);

    await assignment.heard('See you soon.');
    await assignment.settled();
    expect(await sentTo(assignment)).toMatchObject([
      { body: 'This is the map.', fetches: [picture] },
      { body: 'See you soon.', fetches: [] },
    ]);
    const { body } = await workspace.asAdmin('GET', `/assignments/${assignment.assignmentId}`);
    expect(body.files).toMatchObject([{ id: fileId, filename: 'map.png' }]);
  });
});
