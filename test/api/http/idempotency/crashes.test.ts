import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../../db/database.js';
import { useApiOn } from '../../../support/api/use-api.js';
import { type DyingConnections, dyingConnections } from '../../../support/faults/dying-connections.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let database: Database;
let observer: pg.Client;
let connections: DyingConnections;
let woken: number;
let changed: number[];

beforeAll(async () => {
  observer = new pg.Client({ connectionString: suite.database.superuserUrl });
  await observer.connect();
  database = new Database({
    url: suite.database.appUrl,
    onOutboxWritten: () => {
      woken += 1;
    },
    onChatsChanged: (_workspaceId, chatIds) => {
      changed.push(...chatIds);
    },
  });
});
afterAll(async () => {
  await database.close();
  await observer.end();
});
const api = useApiOn(() => database);
beforeEach(() => {
  woken = 0;
  changed = [];
  connections = dyingConnections();
});
afterEach(() => connections.restore());

const post = (path: string, body: unknown, key: string = randomUUID()) => {
  const { apiKey } = suite.workspace.member;
  return api.request('POST', suite.workspace.path(path), {
    apiKey,
    body,
    headers: { 'Idempotency-Key': key },
  });
};

/** The rows that a posted message leaves: the message, the outbox entry of its run, and its key. */
async function traces(chatId: number): Promise<number[]> {
  const { rows } = await observer.query(
    `select (select count(*) from messages where chat_id = $1)::int as messages,
       (select count(*) from outbox where (input ->> 'chatId')::bigint = $1)::int as entries,
       (select count(*) from idempotency_keys where operation = 'sendChatMessage')::int as keys`,
    [chatId],
  );
  return [rows[0].messages, rows[0].entries, rows[0].keys];
}

async function newChat(): Promise<number> {
  await observer.query(`delete from idempotency_keys`);
  return (await post('/chats', { channel: 'web-chat' })).body.id;
}

describe.each(['before', 'after'] as const)('a connection lost %s each statement', (when) => {
  it('leaves everything or nothing of a request with a key, and a retry results in one message', async () => {
    let statement = 0;
    let lost: boolean;
    let committedUnheard = 0;
    do {
      statement += 1;
      const chatId = await newChat();
      const key = randomUUID();
      const send = () => post(`/chats/${chatId}/messages`, { content: 'Hello' }, key);
      connections.dieAt(statement, when);
      const first = await send();
      lost = connections.sent >= statement;
      connections.dieAt(0, when);

      expect(first.status).toBe(lost ? 500 : 201);
      const left = await traces(chatId);
      expect([
        [0, 0, 0],
        [1, 1, 1],
      ]).toContainEqual(left);
      if (lost && left[0] === 1) committedUnheard += 1;

      // The server releases the locks of the lost connection once it notices the loss.
      const again = await waitFor('the key is free', async () => {
        const answer = await send();
        return answer.status === 409 ? undefined : answer;
      });
      expect(again.status).toBe(201);
      expect(await traces(chatId)).toEqual([1, 1, 1]);
    } while (lost);

    // Access, the lock and row of the key, savepoint, chat, message, outbox, commit: the loop has covered them all.
    expect(statement).toBeGreaterThan(10);
    expect(committedUnheard).toBe(when === 'after' ? 1 : 0);
  });
});

describe('the relay and the chat followers', () => {
  it('are notified once after the commit, and not by a replay', async () => {
    const chatId = await newChat();
    woken = 0;
    changed = [];
    const key = randomUUID();
    await post(`/chats/${chatId}/messages`, { content: 'Hello' }, key);
    expect([woken, changed]).toEqual([1, [chatId]]);
    await post(`/chats/${chatId}/messages`, { content: 'Hello' }, key);
    expect([woken, changed]).toEqual([1, [chatId]]);
  });
});
