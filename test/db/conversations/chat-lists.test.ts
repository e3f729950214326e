import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countChatsByDay, selectChats, selectToolCallNames } from '../../../db/conversations/chat-lists.js';
import { selectChatsInTheNews } from '../../../db/conversations/handoff-tellings.js';
import { lastMessagesOf, selectWaitingChats } from '../../../db/conversations/waiting-chats.js';
import type { Database } from '../../../db/database.js';
import type { Tx } from '../../../db/tx.js';
import { explaining } from '../../support/db/explained.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/*
 * The query plans of chat lists for the role wes_app, under row-level security, with many chats in two workspaces.
 */

const { database: testDatabase, workspace } = useWorkspace();
let superuser: pg.Client;

beforeAll(async () => {
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  const places = [workspace, await createWorkspace(workspace.database)];
  // Triggers write events for each row, which take most of the time.
  await superuser.query('set session_replication_role = replica');
  for (const place of places) {
    await superuser.query(
      `insert into chats (workspace_id, channel, chat_type, member_id, needs_response, created_at)
       select $1, 'web-chat', 'simple', $2, number % 200 = 0, now() - number * interval '1 hour'
       from generate_series(1, 8000) as number`,
      [place.workspaceId, place.member.memberId],
    );
    await superuser.query(
      `insert into chat_participants (workspace_id, chat_id, member_id, role)
       select workspace_id, id, member_id, 'user' from chats where workspace_id = $1`,
      [place.workspaceId],
    );
    await superuser.query(
      `insert into messages (workspace_id, chat_id, role, content, tool_calls)
       select workspace_id, id, 'assistant', '"Hello"',
         case when id % 500 = 0 then '[{"id": "1", "function": {"name": "handoff"}}]'::jsonb else '[]' end
       from chats where workspace_id = $1`,
      [place.workspaceId],
    );
  }
  await superuser.query('set session_replication_role = origin; analyze');
});
afterAll(async () => {
  await superuser.end();
});

/** The plans of the statements that a query function executes. */
function plansOf(ask: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return workspace.within(async (tx) => {
    const asked: { sql: string; bindings?: unknown[] }[] = [];
    const note = (query: (typeof asked)[number]) => asked.push(query);
    tx.on('query', note);
    await ask(tx);
    tx.removeListener('query', note);
    const plans: string[] = [];
    for (const { sql, bindings = [] } of asked) {
      const numbered = sql.replace(/\$\d+/g, '?');
      const { rows } = await tx.raw(`explain ${numbered}`, bindings as string[]);
      plans.push(rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  });
}

const firstPage = { page: 1, pageSize: 25, sortBy: 'createdAt', sortOrder: 'desc' } as const;

describe('the query plan', () => {
  it('of the first page of chats reads an index without sorting', async () => {
    const [, page] = await plansOf((tx) => selectChats(tx, {}, firstPage));

    expect(page).toContain('chats_workspace_id_created_at_id_idx');
    expect(page).not.toContain('Sort');
  });

  it('of chats that need a response uses their index', async () => {
    const [count] = await plansOf((tx) =>
      selectChats(tx, { needsResponse: true, archived: false, muted: false }, firstPage),
    );

    expect(count).toContain('chats_waiting');
    expect(count).not.toContain('Seq Scan');
    const [all] = await plansOf((tx) => selectChats(tx, { needsResponse: true }, firstPage));
    expect(all).toContain('chats_workspace_id_id_idx');
  });

  it('of the queue reads the chats that wait in their order, also after a place in it', async () => {
    // Of a queue that a page holds whole, sorting costs as much as reading it in order, depending on when the table was vacuumed.
    const queue = (after?: { since: Date; id: number }) =>
      plansOf((tx) =>
        selectWaitingChats(
          tx,
          { state: 'open', claimedBy: workspace.admin.memberId, now: new Date(), after },
          { ...firstPage, pageSize: 5, sortBy: 'waitingSince', sortOrder: 'asc' },
        ),
      );
    for (const after of [undefined, { since: new Date(), id: 1 }]) {
      const [count, page] = await queue(after);
      for (const plan of [count, page]) {
        expect(plan).toContain('chats_waiting');
        expect(plan).not.toContain('Seq Scan');
      }
      expect(page).not.toContain('Sort');
    }
    const [, next] = await queue({ since: new Date(), id: 1 });
    expect(next).toMatch(/Index Cond: .*ROW\(needs_response_since, id\) > ROW/);
  });

  it('of chats in the news reads those that wait by their times', async () => {
    const after = { since: new Date(), id: 1 };
    const news = { after, until: new Date(), reasons: ['handoff'], limit: 500 };
    const { workspaceId } = workspace;
    const read = (database: Database) =>
      database.inWorkspace(workspaceId, (tx) => selectChatsInTheNews(tx, news));
    const [plan] = await explaining(testDatabase.appUrl, workspaceId, read, /union all/);
    expect(plan?.scans.join()).toMatch(/chats_waiting.*chats_reopened/);
    expect(plan?.rows).toBe(0);
  });

  it('of last messages reads the newest messages of each chat by their index', async () => {
    const { workspaceId } = workspace;
    const chats = await workspace.database.inWorkspace(workspaceId, (tx) => selectChats(tx, {}, firstPage));
    const ids = chats.items.map(({ id }) => id);
    const read = (database: Database) => database.inWorkspace(workspaceId, (tx) => lastMessagesOf(tx, ids));
    const [plan] = await explaining(testDatabase.appUrl, workspaceId, read, /from unnest/);
    expect(plan?.scans).toContain('Index Scan messages_workspace_id_chat_id_id_idx');
    expect(plan?.rows).toBeLessThan(2 * ids.length);
  });

  it('of the chats of a member uses an index for each kind', async () => {
    const [count] = await plansOf((tx) => selectChats(tx, { ownedBy: workspace.admin.memberId }, firstPage));

    expect(count).toContain('chats_workspace_id_member_id_id_idx');
    expect(count).toContain('chats_workspace_id_created_by_member_id_id_idx');
    expect(count).toContain('chat_participants_workspace_id_member_id_idx');
    expect(count).not.toContain('Seq Scan');
  });

  it('of daily counts reads only the requested days', async () => {
    const begins = [new Date('2020-01-01T00:00:00Z'), new Date('2020-01-02T00:00:00Z')];
    const days = { dates: ['2020-01-01', '2020-01-02'], begins, ends: new Date('2020-01-03T00:00:00Z') };
    const { workspaceId } = workspace;
    const read = (database: Database) =>
      database.inWorkspace(workspaceId, (tx) => countChatsByDay(tx, {}, days));
    const [plan] = await explaining(testDatabase.appUrl, workspaceId, read, /width_bucket/);
    expect(plan?.scans.join()).toMatch(/Index .*chats_workspace_id_created_at_id_idx/);
    expect(plan?.rows).toBe(0);
  });

  it('of tool call names reads only messages with tool calls', async () => {
    const [plan] = await plansOf((tx) => selectToolCallNames(tx, {}));

    expect(plan).toContain('messages_with_tool_calls');
  });
});
