import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, ApiFailure, adminClient } from '../demo/api-client.js';
import { listMessages } from '../demo/chat-events.js';
import { printLine } from '../demo/transcript.js';
import type { DevFile } from '../launcher/dev-file.js';
import {
  answer,
  claim,
  giveBack,
  listWaitingChats,
  type WaitingChat,
  whereItStands,
} from './waiting-chats.js';

const lookEveryMs = 1_000;
const messagesShown = 6;

/** Lets the input answer the chats that wait for a person. Ends with `/quit` or with the input. */
export async function runDesk(dev: DevFile, input: NodeJS.ReadableStream): Promise<void> {
  const desk = new Desk(adminClient(dev));
  const over = new AbortController();
  const watching = desk.watch(over.signal);
  const lines = createInterface({ input });
  try {
    for await (const line of lines) {
      if (line.trim() === '/quit') break;
      await desk.take(line.trim());
    }
  } finally {
    lines.close();
    over.abort();
    await watching;
  }
}

/** A colleague with at most one open chat. */
class Desk {
  readonly #colleague: ApiClient;
  readonly #shown = new Set<string>();
  #listed: WaitingChat[] = [];
  #open: WaitingChat | undefined;

  constructor(colleague: ApiClient) {
    this.#colleague = colleague;
  }

  /** Shows the list when it changes, and what is written in the open chat, until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    let before: string | undefined;
    while (!signal.aborted) {
      const waiting = await listWaitingChats(this.#colleague);
      const ids = waiting.map(({ id }) => id).join();
      if (ids !== before) this.#list(waiting);
      before = ids;
      await this.#showNews();
      await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Does what a line says. A refusal is shown. */
  async take(line: string): Promise<void> {
    try {
      if (line === '') return;
      if (line === '/list') this.#list(await listWaitingChats(this.#colleague));
      else if (line === '/back') await this.#giveBack();
      else if (/^\d+$/.test(line)) await this.#enter(Number(line));
      else await this.#write(line);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      printLine('', `refused: ${error.problem.detail}`);
    }
  }

  #list(waiting: WaitingChat[]): void {
    this.#listed = waiting;
    if (waiting.length === 0) printLine('No chat waits for a person.');
    for (const { id, channel, needsResponseReason, lastMessage } of waiting) {
      printLine(
        `${id}  ${lastMessage?.text.slice(0, 60) ?? ''}`,
        `${channel}: ${needsResponseReason ?? '-'}`,
      );
    }
  }

  async #enter(chatId: number): Promise<void> {
    const chat = this.#listed.find(({ id }) => id === chatId);
    if (chat === undefined) return printLine(`No chat ${chatId} is in the list.`);
    await claim(this.#colleague, chatId);
    this.#open = chat;
    this.#shown.clear();
    const now = await whereItStands(this.#colleague, chat);
    printLine(
      `chat ${chatId} is yours`,
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
      printLine(`${role === 'user' ? 'member  ←' : 'clinic  →'}  ${content}`);
    }
  }
}
