import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../../tools/dev/demo/api-client.js';
import type { Message } from '../../../../tools/dev/demo/chat-events.js';
import { Screen } from '../../../../tools/dev/demo/screen.js';
import { showWebChat, type WebChat } from '../../../../tools/dev/demo/web-chat.js';

afterEach(() => vi.restoreAllMocks());

describe('showWebChat', () => {
  it('prints what was said before the stream began under its task, and then the current task', async () => {
    const task = { visitedAt: null, children: [] };
    const rootTask = { id: 1, taskId: 11, taskName: 'Loan', ...task };
    const current = { id: 2, taskId: 12, taskName: 'Return date', ...task };
    const assignment = { id: 7, uuid: '', status: 'active', dataRecords: [] };
    const screen = new Screen({ ...assignment, rootTask: { ...rootTask, children: [current] } });
    const snapshot = { chat: { currentTaskName: 'Return date' } };
    const messages: Message[] = [{ id: 'm', role: 'assistant', content: 'You have a book', taskId: 11 }];
    const member = Object.assign(async () => messages, {
      stream: async () => new Response(`event: chat.snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`).body,
    }) as unknown as ApiClient;
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const over = new AbortController();

    const chat = { member, chatId: 5, screen } as WebChat;
    await showWebChat(chat, over.signal, async () => over.abort());

    const text = printed.mock.calls.map(([line]) => String(line)).join('\n');
    const lines = text.split('\n').map((line) => line.replace(/ *│/, '').trim());
    expect(lines).toEqual(['task: Loan', 'clinic  →  You have a book', 'task: Return date']);
  });
});
