import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicAccess } from '../../../../api/http/access.js';
import { apiPrefix } from '../../../../api/http/app.js';
import { defineRoute } from '../../../../api/http/define-route.js';
import type { EventSink } from '../../../../api/http/streams/event-stream.js';
import { insertChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { admissionTerms } from '../../../../domain/kernel/admissions.js';
import { startApi } from '../../../support/api/api.js';
import { openStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let api: LiveApi;

beforeAll(async () => {
  api = await startLiveApi(setup.database, {
    live: { followers: { ...admissionTerms.followers, slots: 10, each: { member: 2, memberInChat: 20 } } },
    eventStreams: { heartbeatMs: 1_000 },
  });
});
afterAll(() => api.close());

/** A client that sends a request, sees the response begin and then reads nothing. */
async function stall(baseUrl: string, path: string, apiKey = 'none'): Promise<Socket> {
  const { port } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET ${apiPrefix}${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  const [begun] = await once(socket, 'data');
  socket.pause();
  expect(String(begun)).toMatch(/^HTTP\/1.1 200 /);
  return socket;
}

/** Adds a chat of the member. */
async function addChat() {
  const { workspaceId, member, path } = setup.workspace;
  const { id: chatId } = await api.database.inWorkspace(workspaceId, (tx) =>
    insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId: member.memberId }),
  );
  return {
    path: path(`/chats/${chatId}/events`),
    apiKey: member.apiKey,
    /** Stores messages of 19 KB in one transaction. */
    addMessages: (count: number) =>
      api.database.inWorkspace(workspaceId, async (tx) => {
        for (let n = 0; n < count; n += 1) {
          await insertMessage(tx, { chatId, role: 'user', author: 'member', content: 'x'.repeat(19_000) });
        }
      }),
  };
}

const text = 'x'.repeat(10_000);
type ThingSink = EventSink<{ event: 'thing'; data: { text: string } }>;

/** An api whose stream at `/talk` calls `say` again and again until it returns true, and what became of the stream. */
async function startTalking(
  say: (sink: ThingSink) => boolean | undefined,
  options: { heartbeatMs?: number } = {},
) {
  const stream = { stopped: false };
  const route = defineRoute({
    operationId: 'talk',
    method: 'GET',
    path: '/talk',
    tag: 'Chats',
    summary: 'Talks',
    access: publicAccess(),
    response: { status: 200, events: { thing: Type.Object({ text: Type.String() }) }, description: 'Things' },
    handler: async () => ({
      start(sink: ThingSink) {
        const more = () => {
          if (!stream.stopped && say(sink) !== true) setImmediate(more);
        };
        more();
      },
      stop() {
        stream.stopped = true;
      },
      check: async () => {},
    }),
  });
  return { stream, api: await startApi(api.database, { routes: [route], eventStreams: options }) };
}

describe('a slow stream reader', () => {
  it('is disconnected without delaying others, and receives the missed events on reconnect', async () => {
    const { path, apiKey, addMessages } = await addChat();
    const quick = await openStream(api.baseUrl, path, { apiKey });
    const slow = await stall(api.baseUrl, path, apiKey);
    const count = 400;
    for (let batch = 0; batch < 8; batch += 1) await addMessages(count / 8);

    await waitFor('the quick one has all', () => quick.lastId() === count, 60_000);
    const back = await waitFor('the slow one was cut off', async () => {
      const stream = await openStream(api.baseUrl, path, { apiKey, lastEventId: 0 });
      return stream.status === 200 && stream;
    });
    await waitFor('it has all', () => back.lastId() === count);
    expect(back.events.filter(({ event }) => event === 'message.created')).toHaveLength(count);
    slow.destroy();
    await Promise.all([quick.close(), back.close()]);
  }, 90_000);

  it('has only a small bounded amount of data buffered', async () => {
    let sent = 0;
    const talking = await startTalking((sink) => {
      if (sent > 10_000) return true;
      sent += 1;
      sink.send({ event: 'thing', data: { text } });
    });
    const socket = await stall(talking.api.baseUrl, '/talk');

    await waitFor('it is cut off', () => talking.stream.stopped);
    // The operating system buffers some megabytes for both ends of a connection.
    expect(sent * text.length).toBeLessThan(30_000_000);
    socket.destroy();
    await talking.api.close();
  });

  it('is disconnected if it does not read the rest of an ended stream', async () => {
    let ended = false;
    const say = (sink: ThingSink) => {
      ended = sink.whenReady() !== undefined;
      if (ended) sink.end();
      else sink.send({ event: 'thing', data: { text } });
      return ended;
    };
    const talking = await startTalking(say, { heartbeatMs: 50 });
    const socket = await stall(talking.api.baseUrl, '/talk');

    await waitFor('it has ended', () => ended);
    await waitFor('it is cut off', () => talking.stream.stopped);
    expect((await fetch(`${talking.api.baseUrl}${apiPrefix}/elsewhere`)).status).toBe(404);
    socket.destroy();
    await talking.api.close();
  });

  it('is disconnected if it stalls while it catches up', async () => {
    const { path, apiKey, addMessages } = await addChat();
    await addMessages(400);
    const resume = `${apiKey}\r\nLast-Event-ID: 0`;
    const stalled = [await stall(api.baseUrl, path, resume), await stall(api.baseUrl, path, resume)];

    await waitFor('both were cut off', async () => {
      const stream = await openStream(api.baseUrl, path, { apiKey });
      await stream.close();
      return stream.status === 200;
    });
    for (const socket of stalled) socket.destroy();
  }, 90_000);
});
