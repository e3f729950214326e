import type { ApiClient } from './api-client.js';

export interface Message {
  id: string;
  role: string;
  content: string | null;
  taskId?: number;
}

export interface StreamedEvent {
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

export const listMessages = (api: ApiClient, chatId: number) =>
  api<Message[]>('GET', `/chats/${chatId}/messages?limit=100`);

/** Reads the live events of a chat; reconnects with `Last-Event-ID` when the connection ends. */
export async function* eventsOf(
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
