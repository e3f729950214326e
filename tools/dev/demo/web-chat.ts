import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import { type ApiClient, adminClient, memberClient } from './api-client.js';
import type { Assignment } from './assignment.js';
import { beginWalk, type Workflow } from './begin-walk.js';
import { eventsOf, listMessages, type Message } from './chat-events.js';
import { Screen } from './screen.js';

const checkEveryMs = 250;

/** A web chat of a new member, as the member's browser has it. */
export interface WebChat {
  admin: ApiClient;
  member: ApiClient;
  chatId: number;
  screen: Screen;
  read: () => Promise<Assignment>;
}

/** Creates a member and begins the workflow in a web chat of this member. */
export async function openWebChat(dev: DevFile, workflow: Workflow): Promise<WebChat> {
  const admin = adminClient(dev);
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', { name: 'Robin Sample' });
  const member = await memberClient(dev, admin, memberId);
  const chat = { channel: 'web-chat' };
  const { chatId, read } = await beginWalk(dev, { as: member, admin, workflow, chat, how: 'in a web chat' });
  return { admin, member, chatId, read, screen: new Screen(await read()) };
}

/** Shows the events of the chat until the signal. Each new message is passed to `onMessage` after it is shown. */
export async function showWebChat(
  { member, chatId, screen }: WebChat,
  signal: AbortSignal,
  onMessage: (message: Message) => Promise<void>,
): Promise<undefined> {
  for await (const event of eventsOf(member, chatId, signal)) {
    // What was written before the stream began is not in it, and belongs to tasks before the current one.
    const before = event.event === 'chat.snapshot' ? await listMessages(member, chatId) : [];
    const { message } = event.data;
    for (const one of message === undefined ? before.reverse() : [message]) {
      if (screen.showMessage(one)) await onMessage(one);
    }
    screen.show(event);
  }
}

/** Whether the screen has shown all that the member may read: notes of colleagues are not in it. */
export async function isEverythingShown({ member, chatId, screen }: WebChat): Promise<boolean> {
  const messages = await listMessages(member, chatId);
  return messages.every(({ id }) => screen.hasShown(id));
}

/** Resolves once the assignment has ended and the screen has shown all messages. @throws AbortError by the signal */
export async function untilEverythingIsShown(chat: WebChat, signal: AbortSignal): Promise<Assignment> {
  for (;;) {
    const assignment = await chat.read();
    if (assignment.status !== 'active' && (await isEverythingShown(chat))) return assignment;
    await delay(checkEveryMs, undefined, { signal });
  }
}
