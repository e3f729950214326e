import { describe, expect, it, onTestFinished } from 'vitest';
import { callAs } from '../../support/api/call-as.js';
import { png } from '../../support/files/samples.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsConversation } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

const { system, workspace } = useSmsWorkspace(startSystem);

const picture = { contentType: 'image/png', bytes: png() };

interface ShownFile {
  status: string;
  id: number;
  failureReason?: string;
}

/** The files of the member's last message, as the API shows them. */
async function filesOf(chat: SmsConversation): Promise<ShownFile[]> {
  const { body } = await workspace.asAdmin('GET', `/chats/${chat.chatId}/messages`);
  const message = body.find(({ role }: { role: string }) => role === 'user');
  return message?.files ?? [];
}

const settledFiles = (chat: SmsConversation) =>
  waitFor('nothing is awaited', async () => {
    const files = await filesOf(chat);
    return files.length > 0 && files.every(({ status }) => status !== 'awaited') && files;
  });

describe('a picture that a member sends by MMS', () => {
  it('becomes a file of the member, which the agent is shown', async () => {
    const chat = await workspace.openChat();

    await chat.write('My knee', [picture]);

    const [file] = await settledFiles(chat);
    const asTexter = callAs(system.api, workspace, chat.texter);
    const { body } = await asTexter('GET', `/files/${file?.id}`);
    expect(body).toMatchObject({ mimeType: 'image/png', access: 'private', permissions: 1, accessMode: 1 });
    expect(body.cdnUrl).toContain('disposition=attachment');
    const download = await asTexter('GET', `/files/${file?.id}/download`);
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/);
    await waitFor('the model was shown it', async () => {
      const requests = await system.model.requests(chat.texter.row.name ?? '');
      return requests.some(({ body }) => JSON.stringify(body.messages).includes('data:image/png;base64,'));
    });
    await chat.heard('You wrote: My knee.');
  });

  it('is stored once where the webhook comes twice', async () => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, doubled: 1 });

    await chat.write('', [picture, { contentType: 'text/plain', bytes: Buffer.from('Notes') }]);

    const files = await settledFiles(chat);
    expect(files.map(({ status }) => status)).toEqual(['stored', 'stored']);
    const rows = await workspace.select('select id from files where owner_member_id = ?', [
      chat.texter.memberId,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('comes when the carrier has it, after failures of its store', async () => {
    const chat = await workspace.openChat();
    const once = { mediaMissing: 1, mediaBusy: 1, mediaBroken: 1 };
    await system.carrier.turn({ handset: chat.texter.phone, ...once });

    await chat.write('See', [picture]);

    expect(await settledFiles(chat)).toMatchObject([{ status: 'stored' }]);
  });

  it('is fetched after the worker was away', async () => {
    const chat = await workspace.openChat();
    await system.stopWorker();
    onTestFinished(async () => void (await system.startWorker().catch(() => undefined)));
    await chat.write('See', [picture]);
    expect(await filesOf(chat)).toMatchObject([{ status: 'awaited' }]);

    await system.startWorker();

    expect(await settledFiles(chat)).toMatchObject([{ status: 'stored' }]);
  });

  it('is not fetched from an address within the network, and the message says so', async () => {
    const chat = await workspace.openChat();
    await system.carrier.turn({
      handset: chat.texter.phone,
      mediaRedirect: 'https://169.254.169.254/latest',
    });

    await chat.write('See', [picture]);

    expect(await settledFiles(chat)).toEqual([{ status: 'failed', failureReason: 'refused' }]);
  });
});
