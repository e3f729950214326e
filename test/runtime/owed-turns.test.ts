import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { insertChat, raiseChatVersion } from '../../db/conversations/chats.js';
import { notifyOverdueTurns, type OwedTurns, readOwedTurns } from '../../runtime/relay/gauges.js';
import { useDatabase } from '../support/db/use-database.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

const testDatabase = useDatabase();
let superuser: pg.Client;
let relay: pg.Client;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  relay = new pg.Client({ connectionString: testDatabase.relayUrl });
  await Promise.all([superuser.connect(), relay.connect()]);
});
beforeEach(() => superuser.query('update chats set handled_version = version'));
afterAll(async () => {
  await Promise.all([superuser.end(), relay.end()]);
});

/** Adds a chat that has owed a turn for this number of seconds. */
async function owe({ workspaceId, member }: TestWorkspace, seconds: number): Promise<void> {
  const chatId = await testDatabase.database.inWorkspace(workspaceId, async (tx) => {
    const { memberId } = member;
    const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
    await raiseChatVersion(tx, id);
    return id;
  });
  await superuser.query(
    'update chats set turn_owed_since = now() - make_interval(secs => $1) where id = $2',
    [seconds, chatId],
  );
}

describe('readOwedTurns', () => {
  it('returns zeros when no turn is owed', async () => {
    expect(await readOwedTurns(relay)).toEqual({ oldestSeconds: 0, turns: 0, workspaces: 0, longest: [] });
  });

  it('counts turns as overdue after five minutes, and measures the oldest from its beginning', async () => {
    const workspace = await createWorkspace(testDatabase.database);
    await owe(workspace, 20);
    await owe(workspace, 290);

    const { oldestSeconds, ...overdue } = await readOwedTurns(relay);

    expect(oldestSeconds).toBeGreaterThanOrEqual(290);
    expect(oldestSeconds).toBeLessThan(300);
    expect(overdue).toEqual({ turns: 0, workspaces: 0, longest: [] });
  });

  it('counts overdue turns over all workspaces, and names those that have waited longest', async () => {
    const workspaces: TestWorkspace[] = [];
    for (let place = 0; place < 12; place += 1) {
      const workspace = await createWorkspace(testDatabase.database);
      workspaces.push(workspace);
      await owe(workspace, 1_000 + 100 * place);
    }
    const [first, ...others] = workspaces as [TestWorkspace, ...TestWorkspace[]];
    await owe(first, 5_000);
    await owe(first, 10);

    const { oldestSeconds, turns, workspaces: count, longest: max } = await readOwedTurns(relay);

    expect(Math.floor(oldestSeconds / 60)).toBe(83);
    expect([turns, count]).toEqual([13, 12]);
    const expected = [first, ...others.reverse()].slice(0, 10);
    expect(max).toMatchObject(expected.map(({ workspaceId }) => ({ workspaceId })));
    expect(max[0]).toMatchObject({ turns: 2, oldestSeconds: Math.floor(oldestSeconds) });
  });

  it('is the only access of the relay role to chats', async () => {
    await expect(relay.query('select turn_owed_since from chats')).rejects.toMatchObject({ code: '42501' });
    const app = new pg.Client({ connectionString: testDatabase.appUrl });
    await app.connect();
    await expect(readOwedTurns(app)).rejects.toMatchObject({ code: '42501' });
    await app.end();
  });
});

describe('the log of overdue turns', () => {
  it('names the workspaces once in five minutes, and reports when no turn is overdue any more', () => {
    const lines: { msg: string; longest?: unknown }[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    const max = [{ workspaceId: 7, turns: 1, oldestSeconds: 301 }];
    const late: OwedTurns = { oldestSeconds: 301, turns: 1, workspaces: 1, longest: max };
    const none: OwedTurns = { oldestSeconds: 3, turns: 0, workspaces: 0, longest: [] };
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const tell = notifyOverdueTurns(logger);
      const passing = (owed: OwedTurns, seconds: number) => {
        tell(owed);
        vi.advanceTimersByTime(seconds * 1_000);
      };
      passing(none, 5);
      for (let times = 0; times < 61; times += 1) passing(late, 5);
      passing(none, 5);
      passing(none, 5);
    } finally {
      vi.useRealTimers();
    }

    expect(lines).toMatchObject([
      { msg: 'turns of agents are overdue', turns: 1, workspaces: 1, longest: max },
      { msg: 'turns of agents are overdue' },
      { msg: 'no turn of an agent is overdue any more' },
    ]);
  });
});
