import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { adminClient, DemoError, DemoTimedOut } from './api-client.js';
import { type Assignment, tryToJump } from './assignment.js';
import { findWorkflow } from './begin-walk.js';
import type { Message } from './chat-events.js';
import { printResult } from './print-result.js';
import { answerTo, printLine } from './transcript.js';
import { openWebChat, showWebChat, untilEverythingIsShown, type WebChat } from './web-chat.js';

const patienceMs = 120_000;

/** Takes a new member through the clinic's intake in a web chat; the terminal shows what a browser would. */
export async function runWebChatDemo(dev: DevFile): Promise<string> {
  const chat = await openWebChat(dev, await findWorkflow(adminClient(dev), intakeName));
  const over = new AbortController();
  let jumped = false;
  const following = showWebChat(chat, over.signal, async (message) => {
    if (!jumped && chat.screen.task === 'Your details') {
      jumped = true;
      await tryToJump(chat.admin, await chat.read());
    }
    await answer(chat, message);
  });
  const ended = await Promise.race([untilEnded(chat), following]);
  over.abort();
  await following;
  if (ended === undefined) throw new DemoError('The stream of the chat ended before its assignment.');
  printLine('', `assignment: ${ended.status}`);
  await printResult(dev, chat.admin, ended);
  return ended.status;
}

async function untilEnded(chat: WebChat): Promise<Assignment> {
  try {
    return await untilEverythingIsShown(chat, AbortSignal.timeout(patienceMs));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    throw new DemoTimedOut((await chat.read()).status);
  }
}

async function answer({ member, chatId }: WebChat, { role, content }: Message): Promise<void> {
  const text = role === 'assistant' ? answerTo(content ?? '') : undefined;
  if (text === undefined) return;
  await member('POST', `/chats/${chatId}/typing`);
  await member('POST', `/chats/${chatId}/messages`, { content: text });
}
