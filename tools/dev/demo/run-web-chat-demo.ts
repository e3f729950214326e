import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { type ApiClient, apiClient, findIntake } from './api-client.js';
import { answerTo, type Outcome, printHeading, printLine, printResult } from './transcript.js';

const patienceMs = 120_000;

/** Takes a member through the clinic's intake in a web chat; the terminal shows what a browser would. */
export async function runWebChatDemo(dev: DevFile): Promise<string> {
  const api = apiClient(dev, dev.memberApiKey);
  const request = { channel: 'web-chat', workflowId: await findIntake(api) };
  const chat = await api<{ id: number; assignmentId: number }>('POST', '/chats', request);
  printHeading(`${intakeName}: a member goes through it in a web chat`);

  const stop = AbortSignal.timeout(patienceMs);
  const screen = new Screen();
  for await (const event of followChat(dev, chat.id, stop)) {
    screen.show(event);
    const { message } = event.data;
    if (event.event !== 'message.created' || message?.role !== 'assistant' || message.content === null)
      continue;
    const answer = answerTo(message.content);
    if (answer !== undefined) await write(api, chat.id, answer);
    else if ((await ended(api, chat.assignmentId)).status !== 'active') break;
  }
  const result = await ended(api, chat.assignmentId);
  printResult(result);
  return result.status;
}

async function write(api: ApiClient, chatId: number, content: string): Promise<void> {
  await api('POST', `/chats/${chatId}/typing`);
  await api('POST', `/chats/${chatId}/messages`, { content });
}

/** Waits up to 5 s for the assignment to conclude, because the last message arrives before the conclusion. */
async function ended(api: ApiClient, assignmentId: number): Promise<Outcome> {
  const read = () => api<Outcome>('GET', `/assignments/${assignmentId}`);
  for (let look = 0; look < 20; look += 1) {
    const assignment = await read();
    if (assignment.status !== 'active') return assignment;
    await delay(250);
  }
  return read();
}

/** Prints what the member sees: the reply word by word, typing notices and the current task. */
class Screen {
  #writing = false;
  #typing = false;
  #task = '';

  show({ event, data }: StreamedEvent): void {
    if (event === 'typing' && data.isAgent && data.active !== this.#typing) {
      this.#typing = data.active === true;
      if (this.#typing) this.#line('', 'the clinic is typing');
    }
    if (event === 'reply.delta') this.#piece(data.text ?? '', data.index === 0);
    if (event === 'reply.dropped') this.#line('', 'draft dropped');
    const task = data.chat?.currentTaskName ?? this.#task;
    if (task !== this.#task) this.#line('', `task: ${task}`);
    this.#task = task;
    if (event === 'message.created' && data.message?.content != null) this.#message(data.message);
  }

  #piece(text: string, begins: boolean): void {
    if (begins) this.#endLine();
    process.stdout.write(begins ? `clinic  →  ${text}` : text);
    this.#writing = true;
  }

  #message({ role, content }: { role: string; content: string | null }): void {
    // The reply was already printed word by word.
    const isShown = this.#writing && role === 'assistant';
    this.#endLine();
    if (!isShown) this.#line(`${role === 'assistant' ? 'clinic  →' : 'member  ←'}  ${content ?? ''}`);
    if (role === 'assistant') this.#typing = false;
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
    message?: { role: string; content: string | null };
    reply?: { turn: string; round: number };
    chat?: { currentTaskName?: string };
    isAgent?: boolean;
    active?: boolean;
    index?: number;
    text?: string;
  };
}

/** Reads the live events of a chat with `fetch`; reconnects with `Last-Event-ID` when the connection ends. */
async function* followChat(dev: DevFile, chatId: number, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    const response = await fetch(`${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}/chats/${chatId}/events`, {
      signal,
      headers: {
        Authorization: `Bearer ${dev.memberApiKey}`,
        ...(lastEventId && { 'Last-Event-ID': lastEventId }),
      },
    });
    if (!response.ok || response.body === null) throw new Error(`the stream was refused: ${response.status}`);
    for await (const block of blocksOf(response.body)) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':')[0], line.replace(/^\w*: ?/, '')]),
      );
      lastEventId = fields.get('id') ?? lastEventId;
      const event = fields.get('event');
      if (event !== undefined) yield { event, data: JSON.parse(fields.get('data') ?? '{}') };
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
