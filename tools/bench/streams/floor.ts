import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/*
 * The floor of streams: one process that writes each message to the chat's readers, without storage, checks, access
 * control, notifications to other processes or back-pressure for slow readers.
 */

const readers = new Map<string, Set<ServerResponse>>();

function follow(chat: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 1000\n\n');
  const ofChat = readers.get(chat) ?? new Set();
  readers.set(chat, ofChat.add(response));
  response.once('close', () => ofChat.delete(response));
}

let id = 0;

function tell(chat: string, content: string): void {
  id += 1;
  const message = { id: randomUUID(), role: 'user', content, tool_calls: null, memberId: 1 };
  const data = JSON.stringify({ message: { ...message, created_at: new Date().toISOString() } });
  const event = `id: ${id}\nevent: message.created\ndata: ${data}\n\n`;
  for (const reader of readers.get(chat) ?? []) reader.write(event);
}

const server = createServer((request, response) => {
  const [, chat, what] = /^\/chats\/(\d+)\/(events|messages)$/.exec(request.url ?? '') ?? [];
  if (chat === undefined) {
    response.end('ready');
  } else if (what === 'events') {
    follow(chat, response);
  } else {
    void json(request).then((body) => {
      tell(chat, (body as { content: string }).content);
      response.writeHead(201).end();
    });
  }
});
server.listen(Number(process.env.PORT), '127.0.0.1');
