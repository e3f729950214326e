import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { adminClient } from './api-client.js';
import { tryToJump } from './assignment.js';
import { findWorkflow } from './begin-walk.js';
import { answerTo } from './transcript.js';
import { finishInWebChat, writeAsMember } from './walk-in-web-chat.js';
import { openWebChat } from './web-chat.js';

/** Takes a new member through the clinic's intake in a web chat; the terminal shows what a browser would. */
export async function runWebChatDemo(dev: DevFile): Promise<string> {
  const chat = await openWebChat(dev, await findWorkflow(adminClient(dev), intakeName));
  let jumped = false;
  return finishInWebChat(dev, chat, async ({ role, content }) => {
    if (!jumped && chat.screen.task === 'Your details') {
      jumped = true;
      await tryToJump(chat.admin, await chat.read());
    }
    await writeAsMember(chat, role === 'assistant' ? answerTo(content ?? '') : undefined);
  });
}
