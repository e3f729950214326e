import { describe, expect, it } from 'vitest';
import { callAs } from '../../support/api/call-as.js';
import { png } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

const { system, workspace } = useSmsWorkspace(startSystem);

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

async function sendImage(content: Buffer, words: string) {
  const chat = await workspace.openChat();
  const asTexter = callAs(system.api, workspace, chat.texter);
  const sent = { by: chat.texter, content: new Uint8Array(content), filename: 'knee.png' };
  const file = (await sendFile(system.api, workspace, sent)).body;
  const answer = await asTexter('POST', `/chats/${chat.chatId}/messages`, {
    content: words,
    files: [file.id],
  });
  expect(answer.status).toBe(201);
  return chat;
}

/** The parts of the last message of each request about the member. */
async function partsAsked(name: string): Promise<Part[][]> {
  const requests = await system.model.requests(name);
  return requests.map(({ body }) => body.messages.findLast(({ role }) => role === 'user')?.content as Part[]);
}

describe('an image that a member sends', () => {
  it('is shown to the model', async () => {
    const chat = await sendImage(png(), 'My knee');

    await chat.heard('You wrote: My knee.');

    const [parts] = await partsAsked(chat.texter.row.name ?? '');
    const url = `data:image/png;base64,${png().toString('base64')}`;
    expect(parts?.at(-1)).toEqual({ type: 'image_url', image_url: { url } });
  });

  it('is named only, after the model has refused it', async () => {
    const chat = await sendImage(png(), 'Broken knee');
    await chat.heard('You wrote: Broken knee.');
    await system.model.script([{ status: 400, error: 'invalid_image_format' }], chat.texter.row.name ?? '');

    await chat.write('Did you see it?');

    await chat.heard('You wrote: Did you see it?');
    const asked = (await system.model.requests(chat.texter.row.name ?? '')).slice(-2);
    const images = asked.map(({ body }) => JSON.stringify(body.messages).includes('image_url'));
    expect(images).toEqual([true, false]);
  });
});
