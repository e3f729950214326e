import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertChat } from '../../db/conversations/chats.js';
import * as sumsOfEarlierCalls from '../../db/migrations/0088-sums-of-earlier-calls.js';
import { migrationNames, migrationSource } from '../../db/migrations/index.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

/** Tables that the previous release uses meanwhile. */
const busy = ['identity.workspaces', 'chats', 'messages', 'token_usage', 'members'];

it('no migration since credit budgets locks workspaces or booked calls while it waits for another table', async () => {
  const { workspaceId, member } = workspace;
  const chat = await workspace.database.inWorkspace(workspaceId, (tx) =>
    insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId: member.memberId }),
  );
  const call = { workspace_id: workspaceId, chat_id: chat.id, model_id: 'openai:chat:gpt-4.1-mini' };
  const at = '2031-05-01T12:00:00Z';
  await migrator('token_usage').insert(
    [2, 3].map((credits) => ({ ...call, created_at: at, credits, total_tokens: 10 })),
  );
  const names = migrationNames.slice(migrationNames.indexOf('0080-credit-budgets'));
  const all = await migrationSource.getMigrations([]);
  const migrations = await Promise.all(
    all.slice(-names.length).map((one) => migrationSource.getMigration(one)),
  );
  for (const { down } of migrations.toReversed()) await migrator.transaction(async (tx) => down?.(tx));

  const locked: Record<string, string[]> = {};
  for (const [index, { up }] of migrations.entries()) {
    await migrator.transaction(async (tx) => {
      await up(tx);
      const { rows } = await tx.raw(
        `select relation::regclass::text as name from pg_locks
         where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation::regclass::text = any(?)`,
        [busy],
      );
      locked[names[index] ?? ''] = rows.map(({ name }: { name: string }) => name);
    });
  }

  // Each request reads its workspace, and each model call is booked.
  const shared = Object.values(locked).filter((tables) => tables.length > 1);
  expect(shared.flat()).not.toContain('identity.workspaces');
  expect(shared.flat()).not.toContain('token_usage');
  expect(locked).toMatchObject({
    '0086-setting-of-handoff-notices': ['identity.workspaces'],
    '0087-estimates-of-calls': ['token_usage'],
    '0088-sums-of-earlier-calls': [],
  });

  const summed = async () => ({
    days: await migrator('usage_days').select('day', 'calls', 'total_tokens', 'credits'),
    members: await migrator('member_usage_months').select('month', 'member_id', 'calls'),
    months: await migrator('credit_months').select('month', 'credits'),
  });
  const expected = {
    days: [{ day: '2031-05-01', calls: 2, total_tokens: 20, credits: 5 }],
    members: [{ month: '2031-05', member_id: member.memberId, calls: 2 }],
    months: [{ month: '2031-05', credits: 5 }],
  };
  expect(await summed()).toEqual(expected);
  // Where an earlier form of the migrations summed them, nothing is summed twice.
  await migrator.transaction(sumsOfEarlierCalls.up);
  expect(await summed()).toEqual(expected);
});
