import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, ApiFailure } from '../demo/api-client.js';
import { listMessages } from '../demo/chat-events.js';
import { printLine } from '../demo/transcript.js';
import { commands } from './options.js';
import {
  answer,
  claim,
  type DeskLists,
  giveBack,
  listDeskChats,
  type WaitingChat,
  whereItStands,
} from './waiting-chats.js';

const checkEveryMs = 1_000;
const messagesShown = 6;
const introduction = `Type the number of a chat to open it, then what its member shall read.
Commands: /back, /list, /help, /quit.`;
const signs: Record<string, string> = { user: 'member  ←', assistant: 'clinic  →', system: 'note    ·' };

/** Lets the input answer the chats that wait for a person. Ends with `/quit` or with the input. */
export async function runDesk(colleague: ApiClient, input: NodeJS.ReadableStream): Promise<void> {
  const desk = new Desk(colleague);
  const over = new AbortController();
  const lines = createInterface({ input });
  console.log(introduction);
  const watching = desk.watch(over.signal);
  const taking = takeLines(desk, lines);
  try {
    await Promise.race([watching, taking]);
  } finally {
    lines.close();
    over.abort();
    await Promise.allSettled([watching, taking]);
  }
}

async function takeLines(desk: Desk, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === '/quit') return;
    await desk.take(line.trim());
  }
}

/** A colleague with at most one open chat. */
class Desk {
  readonly #colleague: ApiClient;
  readonly #shown = new Set<string>();
  #open: WaitingChat | undefined;

  constructor(colleague: ApiClient) {
    this.#colleague = colleague;
  }

  /** Shows the lists when they change, and what is written in the open chat, until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    let before: string | undefined;
    while (!signal.aborted) {
      const lists = await listDeskChats(this.#colleague);
      const ids = JSON.stringify([lists.waiting, lists.taken].map((chats) => chats.map(({ id }) => id)));
      if (ids !== before) this.#list(lists);
      before = ids;
      await this.#showNews();
      await delay(checkEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Does what a line says. A refusal is shown. */
  async take(line: string): Promise<void> {
    try {
      if (line === '') return;
      if (/^\d+$/.test(line)) await this.#enter(Number(line));
      else if (line.startsWith('//')) await this.#write(line.slice(1));
      else if (line.startsWith('/') || line === 'help') await this.#obey(line);
      else await this.#write(line);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      printLine('', `refused: ${error.problem.detail}`);
    }
  }

  /** A mistyped command is for nobody else to read. */
  async #obey(command: string): Promise<void> {
    if (command === '/list') return this.#list(await listDeskChats(this.#colleague));
    if (command === '/back') return this.#giveBack();
    if (command !== '/help' && command !== 'help') printLine(`“${command}” is no command, and was not sent.`);
    console.log(commands);
  }

  #list({ waiting, taken }: DeskLists): void {
    printLine(waiting.length === 0 ? 'No chat waits for a person.' : 'Chats that wait for a person:');
    for (const { id, channel, needsResponseText, lastMessage } of waiting) {
      printLine(`${id}  ${lastMessage?.text.slice(0, 60) ?? ''}`, `${channel}: ${needsResponseText ?? '-'}`);
    }
    if (taken.length > 0) printLine('Chats that colleagues have:');
    for (const { id, channel, participants } of taken) {
      printLine(`${id}  ${participants.find(({ role }) => role === 'user')?.name ?? ''}`, channel);
    }
  }

  async #enter(chatId: number): Promise<void> {
    const { waiting, taken } = await listDeskChats(this.#colleague);
    const chat = [...waiting, ...taken].find(({ id }) => id === chatId);
    if (chat === undefined) return printLine(`No chat ${chatId} is in the lists.`);
    if (chat.needsResponse) await claim(this.#colleague, chatId);
    this.#open = chat;
    this.#shown.clear();
    const now = await whereItStands(this.#colleague, chat);
    printLine(
      `chat ${chatId} is open`,
      now === undefined ? 'no workflow' : `“${now.task.name}”: ${now.state}`,
    );
    await this.#showNews();
  }

  async #write(text: string): Promise<void> {
    if (this.#open === undefined) return printLine('Open a chat first: type its number.');
    await answer(this.#colleague, this.#open.id, text);
    await this.#showNews();
  }

  async #giveBack(): Promise<void> {
    if (this.#open === undefined) return printLine('No chat is open.');
    await giveBack(this.#colleague, this.#open.id);
    printLine(`chat ${this.#open.id} is the agent's again`);
    this.#open = undefined;
  }

  async #showNews(): Promise<void> {
    const chat = this.#open;
    if (chat === undefined) return;
    const messages = (await listMessages(this.#colleague, chat.id)).slice(0, messagesShown).reverse();
    for (const { id, role, content } of messages) {
      if (this.#shown.has(id) || content === null || chat !== this.#open) continue;
      this.#shown.add(id);
      printLine(`${signs[role]}  ${content}`);
    }
  }
}
