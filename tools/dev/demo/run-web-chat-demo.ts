import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import { type ApiClient, adminClient, DemoError, memberClient } from './api-client.js';
import { type Assignment, taskNames, tryToJump } from './assignment.js';
import { beginWalk } from './begin-walk.js';
import { printResult } from './print-result.js';
import { answerTo, printLine } from './transcript.js';

const patienceMs = 120_000;
const lookEveryMs = 250;

/** Takes a new member through the clinic's intake in a web chat; the terminal shows what a browser would. */
export async function runWebChatDemo(dev: DevFile): Promise<string> {
  const admin = adminClient(dev);
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', { name: 'Robin Sample' });
  const member = await memberClient(dev, admin, memberId);
  const chat = { channel: 'web-chat' };
  const { chatId, read } = await beginWalk(dev, admin, { as: member, chat, how: 'in a web chat' });

  const screen = new Screen(await read());
  const over = new AbortController();
  const following = follow(member, chatId, { screen, admin, read, signal: over.signal });
  const ended = await Promise.race([untilEverythingIsShown(admin, chatId, { screen, read }), following]);
  over.abort();
  await following;
  if (ended === undefined) throw new DemoError('The stream of the chat ended before its assignment.');
  printLine('', `assignment: ${ended.status}`);
  await printResult(dev, admin, ended);
  return ended.status;
}

interface Walk {
  screen: Screen;
  admin: ApiClient;
  read: () => Promise<Assignment>;
  signal: AbortSignal;
}

/** Shows the events of the chat and answers questions, until the signal. */
async function follow(member: ApiClient, chatId: number, walk: Walk): Promise<undefined> {
  const { screen, admin, read, signal } = walk;
  let jumped = false;
  for await (const event of eventsOf(member, chatId, signal)) {
    screen.show(event);
    if (!jumped && screen.task === 'Your details') {
      jumped = true;
      await tryToJump(admin, await read());
    }
    // What was written before the stream began is not in it.
    const before = event.event === 'chat.snapshot' ? await listMessages(member, chatId) : [];
    const { message } = event.data;
    for (const one of message === undefined ? before.reverse() : [message]) {
      if (screen.showMessage(one)) await answer(member, chatId, one);
    }
  }
}

const listMessages = (api: ApiClient, chatId: number) =>
  api<Message[]>('GET', `/chats/${chatId}/messages?limit=100`);

async function answer(member: ApiClient, chatId: number, { role, content }: Message): Promise<void> {
  const text = role === 'assistant' ? answerTo(content ?? '') : undefined;
  if (text === undefined) return;
  await member('POST', `/chats/${chatId}/typing`);
  await member('POST', `/chats/${chatId}/messages`, { content: text });
}

/** Resolves once the assignment has ended and the screen has shown all messages. */
async function untilEverythingIsShown(
  admin: ApiClient,
  chatId: number,
  { screen, read }: Pick<Walk, 'screen' | 'read'>,
): Promise<Assignment> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const assignment = await read();
    if (assignment.status !== 'active') {
      const messages = await listMessages(admin, chatId);
      if (messages.every(({ id }) => screen.hasShown(id))) return assignment;
    }
    if (Date.now() > giveUpAt) {
      throw new DemoError(`The demo timed out; the assignment is ${assignment.status}.`);
    }
    await delay(lookEveryMs);
  }
}

interface Message {
  id: string;
  role: string;
  content: string | null;
  taskId?: number;
}

/** Prints what the member sees: the reply word by word, typing notices and the current task. */
class Screen {
  readonly #taskNames: ReadonlyMap<number, string>;
  readonly #shown = new Set<string>();
  #writing = false;
  #typing = false;
  #task = '';

  constructor(assignment: Assignment) {
    this.#taskNames = taskNames(assignment);
  }

  get task(): string {
    return this.#task;
  }

  hasShown(messageId: string): boolean {
    return this.#shown.has(messageId);
  }

  show({ event, data }: StreamedEvent): void {
    if (event === 'typing' && data.isAgent && data.active !== this.#typing) {
      this.#typing = data.active === true;
      if (this.#typing) this.#line('', 'the clinic is typing');
    }
    if (event === 'reply.delta') this.#piece(data.text ?? '', data.index === 0);
    if (event === 'reply.dropped') this.#line('', 'draft dropped');
    if (data.chat?.currentTaskName !== undefined) this.#enter(data.chat.currentTaskName);
  }

  #enter(task: string): void {
    if (task === this.#task) return;
    this.#task = task;
    this.#line('', `task: ${task}`);
  }

  #piece(text: string, begins: boolean): void {
    if (begins) this.#endLine();
    process.stdout.write(begins ? `clinic  →  ${text}` : text);
    this.#writing = true;
  }

  /** @returns whether the message is new */
  showMessage({ id, role, content, taskId = 0 }: Message): boolean {
    if (this.#shown.has(id)) return false;
    this.#shown.add(id);
    if (content === null) return true;
    // The reply was already printed word by word.
    const isPrinted = this.#writing && role === 'assistant';
    this.#endLine();
    if (!isPrinted) this.#enter(this.#taskNames.get(taskId) ?? this.#task);
    if (!isPrinted) this.#line(`${role === 'assistant' ? 'clinic  →' : 'member  ←'}  ${content}`);
    if (role === 'assistant') this.#typing = false;
    return true;
  }

  #line(text: string, beside = ''): void {
    this.#endLine();
    printLine(text, beside);
  }

  #endLine(): void {
    if (this.#writing) process.stdout.write('\n');
    this.#writing = false;
  }
}

interface StreamedEvent {
  event: string;
  data: {
    message?: Message;
    chat?: { currentTaskName?: string };
    isAgent?: boolean;
    active?: boolean;
    index?: number;
    text?: string;
  };
}

/** Reads the live events of a chat; reconnects with `Last-Event-ID` when the connection ends. */
async function* eventsOf(
  member: ApiClient,
  chatId: number,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    const resume: Record<string, string> = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    try {
      for await (const block of blocksOf(await member.stream(`/chats/${chatId}/events`, signal, resume))) {
        const fields = new Map(
          block.split('\n').map((line) => [line.split(':')[0], line.replace(/^\w*: ?/, '')]),
        );
        lastEventId = fields.get('id') ?? lastEventId;
        const event = fields.get('event');
        if (event !== undefined) yield { event, data: JSON.parse(fields.get('data') ?? '{}') };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}
