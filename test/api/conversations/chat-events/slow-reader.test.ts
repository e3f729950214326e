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
import type { Tx } from '../../../../db/database.js';
import { FollowerLimits } from '../../../../domain/conversations/chat-events/live-chats.js';
import { startApi } from '../../../support/api/api.js';
import { openStream } from '../../../support/api/event-stream.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
let api: LiveApi;

beforeAll(async () => {
  api = await startLiveApi(setup.database, {
    live: { limits: new FollowerLimits({ inAll: 10, ofMember: 2 }) },
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

describe('a slow stream reader', () => {
  it('is disconnected without delaying others, and receives the missed events on reconnect', async () => {
    const { workspaceId, member } = setup.workspace;
    const inside = <T>(work: (tx: Tx) => Promise<T>) => api.database.inWorkspace(workspaceId, work);
    const { id: chatId } = await inside((tx) =>
      insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId: member.memberId }),
    );
    const path = setup.workspace.path(`/chats/${chatId}/events`);
    const quick = await openStream(api.baseUrl, path, { apiKey: member.apiKey });
    const slow = await stall(api.baseUrl, path, member.apiKey);
    const third = () => openStream(api.baseUrl, path, { apiKey: member.apiKey, lastEventId: 0 });
    const count = 400;
    for (let batch = 0; batch < 8; batch += 1) {
      await inside(async (tx) => {
        for (let n = 0; n < count / 8; n += 1) {
          await insertMessage(tx, { chatId, role: 'user', content: 'x'.repeat(19_000) });
        }
      });
    }

    await waitFor('the quick one has all', () => quick.lastId() === count, 60_000);
    const back = await waitFor('the slow one was cut off', async () => {
      const stream = await third();
      return stream.status === 200 && stream;
    });
    await waitFor('it has all', () => back.lastId() === count);
    expect(back.events.filter(({ event }) => event === 'message.created')).toHaveLength(count);
    slow.destroy();
    await Promise.all([quick.close(), back.close()]);
  }, 90_000);

  it('has only a small bounded amount of data buffered', async () => {
    const text = 'x'.repeat(10_000);
    let sent = 0;
    let stopped = false;
    const endless = defineRoute({
      operationId: 'endless',
      method: 'GET',
      path: '/endless',
      tag: 'Chats',
      summary: 'Never stops talking',
      access: publicAccess(),
      response: {
        status: 200,
        events: { thing: Type.Object({ text: Type.String() }) },
        description: 'Things',
      },
      handler: async () => ({
        start(sink: EventSink<{ event: 'thing'; data: { text: string } }>) {
          const more = () => {
            if (stopped || sent > 10_000) return;
            sent += 1;
            sink.send({ event: 'thing', data: { text } });
            setImmediate(more);
          };
          more();
        },
        stop() {
          stopped = true;
        },
        check: async () => {},
      }),
    });
    const talking = await startApi(api.database, { routes: [endless] });
    const socket = await stall(talking.baseUrl, '/endless');

    await waitFor('it is cut off', () => stopped);
    // The operating system buffers some megabytes for both ends of a connection.
    expect(sent * text.length).toBeLessThan(30_000_000);
    socket.destroy();
    await talking.close();
  });

  it('is disconnected if it does not read the rest of an ended stream', async () => {
    let ended = false;
    let stopped = false;
    const ending = defineRoute({
      operationId: 'ending',
      method: 'GET',
      path: '/ending',
      tag: 'Chats',
      summary: 'Talks until nobody listens, and ends',
      access: publicAccess(),
      response: {
        status: 200,
        events: { thing: Type.Object({ text: Type.String() }) },
        description: 'Things',
      },
      handler: async () => ({
        start(sink: EventSink<{ event: 'thing'; data: { text: string } }>) {
          const more = () => {
            ended = sink.whenReady() !== undefined;
            if (ended) return sink.end();
            sink.send({ event: 'thing', data: { text: 'x'.repeat(10_000) } });
            setImmediate(more);
          };
          more();
        },
        stop() {
          stopped = true;
        },
        check: async () => {},
      }),
    });
    const talking = await startApi(api.database, { routes: [ending], eventStreams: { heartbeatMs: 50 } });
    const socket = await stall(talking.baseUrl, '/ending');

    await waitFor('it has ended', () => ended);
    await waitFor('it is cut off', () => stopped);
    expect((await fetch(`${talking.baseUrl}${apiPrefix}/elsewhere`)).status).toBe(404);
    socket.destroy();
    await talking.close();
  });

  it('is disconnected if it stalls while it catches up', async () => {
    const { workspaceId, member } = setup.workspace;
    const inside = <T>(work: (tx: Tx) => Promise<T>) => api.database.inWorkspace(workspaceId, work);
    const { id: chatId } = await inside((tx) =>
      insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId: member.memberId }),
    );
    await inside(async (tx) => {
      for (let n = 0; n < 400; n += 1) {
        await insertMessage(tx, { chatId, role: 'user', content: 'x'.repeat(19_000) });
      }
    });
    const path = setup.workspace.path(`/chats/${chatId}/events`);
    const resume = `${member.apiKey}\r\nLast-Event-ID: 0`;
    const stalled = [await stall(api.baseUrl, path, resume), await stall(api.baseUrl, path, resume)];

    const next = () => openStream(api.baseUrl, path, { apiKey: member.apiKey });
    await waitFor('both were cut off', async () => (await closed(next())).status === 200);
    for (const socket of stalled) socket.destroy();
  }, 90_000);
});

async function closed(opening: ReturnType<typeof openStream>): ReturnType<typeof openStream> {
  const stream = await opening;
  await stream.close();
  return stream;
}
