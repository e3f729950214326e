import { setTimeout as delay } from 'node:timers/promises';
import { answer, claim, giveBack, listWaitingChats, whereItStands } from '../desk/waiting-chats.js';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { adminClient } from './api-client.js';
import { findWorkflow } from './begin-walk.js';
import { listMessages, type Message } from './chat-events.js';
import { answerTo, printLine } from './transcript.js';
import { finishInWebChat, writeAsMember } from './walk-in-web-chat.js';
import { openWebChat, type WebChat } from './web-chat.js';

const checkEveryMs = 250;
const question = 'This is the nurse on duty. Please come today at three. May I put you down?';
const reply = 'Yes, I come at three. Thank you';

/** A member whose pain is a matter for a nurse: a colleague sees the chat wait, answers, and gives it back. */
export async function runHandoffDemo(dev: DevFile): Promise<string> {
  const chat = await openWebChat(dev, await findWorkflow(adminClient(dev), intakeName));
  return finishInWebChat(
    dev,
    chat,
    (message) => writeAsMember(chat, answerInPain(message)),
    actAsColleague(chat),
  );
}

function answerInPain({ role, content }: Message): string | undefined {
  if (role !== 'assistant') return undefined;
  if (/pain from 0 to 10/i.test(content ?? '')) return '9';
  if (content === question) return reply;
  return answerTo(content ?? '');
}

/** Does what a colleague does at a desk, each with one request. */
function actAsColleague({ admin: colleague, chatId }: WebChat) {
  return async (signal: AbortSignal): Promise<void> => {
    const waiting = await until(signal, async () =>
      (await listWaitingChats(colleague)).find(({ id }) => id === chatId),
    );
    const now = await whereItStands(colleague, waiting);
    printLine('colleague sees that the chat waits', `${waiting.needsResponseReason}, in “${now?.task.name}”`);
    await claim(colleague, chatId);
    printLine('colleague claims it', 'others see who answers');
    await answer(colleague, chatId, question);
    await until(signal, async () =>
      (await listMessages(colleague, chatId)).find(({ content }) => content === reply),
    );
    await giveBack(colleague, chatId);
    printLine('colleague gives it back', 'the agent goes on');
  };
}

async function until<T>(signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(checkEveryMs, undefined, { signal });
  }
}
