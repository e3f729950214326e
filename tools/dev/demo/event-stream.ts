import type { DevFile } from '../launcher/dev-file.js';

/** A live event of a chat. */
export interface StreamedEvent {
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
export async function* followChat(
  dev: DevFile,
  chatId: number,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    const response = await fetch(`${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}/chats/${chatId}/events`, {
      signal,
      headers: {
        Authorization: `Bearer ${dev.memberApiKey}`,
        ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
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
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}
