import type { DevFile } from '../launcher/dev-file.js';
import { DemoError, DemoTimedOut } from './api-client.js';
import type { Assignment } from './assignment.js';
import type { Message } from './chat-events.js';
import { printResult } from './print-result.js';
import { printLine } from './transcript.js';
import { showWebChat, untilEverythingIsShown, type WebChat } from './web-chat.js';

const patienceMs = 120_000;

/**
 * Shows a web chat until its assignment has ended, and prints the result.
 * @param onMessage what the member does about a message that the browser shows
 * @param beside what others do meanwhile; it ends by the signal at the latest
 * @returns the status of the assignment
 * @throws DemoTimedOut
 */
export async function finishInWebChat(
  dev: DevFile,
  chat: WebChat,
  onMessage: (message: Message) => Promise<void>,
  beside: (signal: AbortSignal) => Promise<void> = async () => undefined,
): Promise<string> {
  const over = new AbortController();
  const following = showWebChat(chat, over.signal, onMessage);
  const others = beside(over.signal).then(() => following);
  const ended = await Promise.race([untilEnded(chat), following, others]).finally(() => over.abort());
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

/** Types and writes a text, if there is one. */
export async function writeAsMember({ member, chatId }: WebChat, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await member('POST', `/chats/${chatId}/typing`);
  await member('POST', `/chats/${chatId}/messages`, { content: text });
}
