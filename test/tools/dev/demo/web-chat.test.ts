import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../../tools/dev/demo/api-client.js';
import type { Message, StreamedEvent } from '../../../../tools/dev/demo/chat-events.js';
import { Screen } from '../../../../tools/dev/demo/screen.js';
import { showWebChat, type WebChat } from '../../../../tools/dev/demo/web-chat.js';

afterEach(() => vi.restoreAllMocks());

const task = { visitedAt: null, children: [] };
const rootTask = { id: 1, taskId: 11, taskName: 'Loan', ...task };
const current = { id: 2, taskId: 12, taskName: 'Return date', ...task };
const assignment = { id: 7, uuid: '', status: 'active', dataRecords: [] };

/** Shows a chat with the stored messages, newest first, and these events. @returns each line that is left to read */
async function shownOf(
  stored: Message[],
  events: StreamedEvent[],
  { isTTY = false } = {},
): Promise<string[]> {
  let text = '';
  vi.spyOn(console, 'log').mockImplementation((line) => {
    text += `${line}\n`;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += piece;
    return true;
  });
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(Object.assign(Object.create(process.stdout), { isTTY }));
  const screen = new Screen({ ...assignment, rootTask: { ...rootTask, children: [current] } });
  const blocks = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const over = new AbortController();
  const member = Object.assign(async () => stored, {
    stream: async () => {
      over.abort();
      return new Response(blocks.join('')).body;
    },
  }) as unknown as ApiClient;
  const chat = { member, chatId: 5, screen } as WebChat;
  await showWebChat(chat, over.signal, async () => undefined);
  vi.restoreAllMocks();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line.split('\r\x1b[2K').at(-1) ?? '').replace(/ *│/, '').trim());
}

const say = (id: string, content: string, taskId = 11): Message => ({
  id,
  role: 'assistant',
  content,
  taskId,
});
const snapshot = (currentTaskName: string): StreamedEvent => ({
  event: 'chat.snapshot',
  data: { chat: { currentTaskName } },
});
const created = (message: Message): StreamedEvent => ({ event: 'message.created', data: { message } });
const delta = (index: number, text: string): StreamedEvent => ({
  event: 'reply.delta',
  data: { index, text },
});

describe('showWebChat', () => {
  it('prints what was said before the stream began under its task, and then the current task', async () => {
    const lines = await shownOf([say('m', 'You have a book')], [snapshot('Return date')]);
    expect(lines).toEqual(['task: Loan', 'clinic  →  You have a book', 'task: Return date']);
  });

  const question = say('q', 'When will you return it?', 12);
  const draftComesAhead = [
    snapshot('Loan'),
    delta(0, 'When will '),
    delta(1, 'you return it?'),
    created(say('m', 'You have a book')),
    { event: 'chat.updated', data: { chat: { currentTaskName: 'Return date' } } },
    created(question),
  ];
  const inOrder = [
    'task: Loan',
    'clinic  →  You have a book',
    'task: Return date',
    'clinic  →  When will you return it?',
  ];

  it.each([
    ['a terminal', true],
    ['a pipe', false],
  ])('prints each message once in %s, also if the draft of one comes ahead of another', async (_, isTTY) => {
    expect(await shownOf([], draftComesAhead, { isTTY })).toEqual(inOrder);
  });

  it('shows in a terminal what is being written', async () => {
    const lines = await shownOf([], [snapshot('Loan'), delta(0, 'When '), delta(1, 'will')], { isTTY: true });
    expect(lines).toEqual(['task: Loan', 'clinic  →  When will']);
  });
});
