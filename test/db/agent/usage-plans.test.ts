import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateCreditBudget } from '../../../domain/agent/usage/credit-budget.js';
import { listUsageByMember, readUsage } from '../../../domain/agent/usage/read-usage.js';
import { findSpentMonth } from '../../../domain/chat-state/credit-budget.js';
import { wakeStoppedChats } from '../../../domain/chat-state/wake-stopped-chats.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const calls = Number(process.env.TEST_ROWS ?? 200_000);
let superuser: pg.Client;

beforeAll(async () => {
  superuser = await connect(suite.database.superuserUrl);
  const { workspace } = suite;
  await updateCreditBudget(workspace.context(), { monthlyCredits: 10 });
  await fillTables(superuser, ['chats', 'token_usage', 'usage_days'], async () => {
    await superuser.query(
      `insert into chats (workspace_id, channel, chat_type, member_id)
       select $1, 'web-chat', 'simple', $2 from generate_series(1, $3::bigint / 10)`,
      [workspace.workspaceId, workspace.member.memberId, calls],
    );
    await superuser.query(
      `insert into token_usage (workspace_id, chat_id, model_id, prompt_tokens, credits)
       select workspace_id, id, 'openai:chat:gpt-5', 1, 1 from chats cross join generate_series(1, 10)
       where workspace_id = $1`,
      [workspace.workspaceId],
    );
    await superuser.query(
      `insert into usage_days (workspace_id, day, definition_id, model_id, calls, credits)
       select $1, to_char(date '2024-01-01' + n, 'YYYY-MM-DD'), w, 'openai:chat:gpt-5', 1, 1
       from generate_series(0, 999) n cross join generate_series(1, 20) w`,
      [workspace.workspaceId],
    );
  });
  await superuser.query('analyze chats, token_usage, usage_days, member_usage_months, credit_months');
}, 300_000);
afterAll(() => superuser.end());

const usageTables = /usage|credit|open_model_calls|agent_stopped/;

it('the budget of a workspace is checked without reading its calls', async () => {
  const { database, workspace } = suite;
  const { workspaceId } = workspace;

  const explained = await explaining(
    database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, (tx) => findSpentMonth(tx, new Date())),
    usageTables,
  );

  expect(explained).toHaveLength(2);
  expect(explained.flatMap(({ scans }) => scans).join()).not.toContain('token_usage');
  for (const { rows } of explained) expect(rows).toBeLessThan(10);
});

it('usage of a month is summed from its days, by their index', async () => {
  const { database, workspace } = suite;
  const context = workspace.context();

  const explained = await explaining(
    database.appUrl,
    workspace.workspaceId,
    async (db) => {
      const query = { from: '2024-03-01', to: '2024-03-31', groupBy: 'day' } as const;
      await readUsage({ ...context, db }, query);
      const page = { page: 1, pageSize: 25, sortBy: 'credits', sortOrder: 'desc' } as const;
      await listUsageByMember({ ...context, db }, page);
    },
    usageTables,
  );

  const scans = explained.flatMap((one) => one.scans).join();
  expect(scans).not.toContain('token_usage');
  expect(scans).not.toContain('Seq Scan usage_days');
  // A month of twenty workflows, counted in the index and in the table.
  for (const { rows } of explained) expect(rows).toBeLessThan(2 * 31 * 20 + 10);
});

it('chats that were stopped are found by an index of their own', async () => {
  const { database, workspace } = suite;
  const { workspaceId } = workspace;
  await updateCreditBudget(workspace.context(), { monthlyCredits: null });

  const explained = await explaining(
    database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, (tx) => wakeStoppedChats(tx, new Date())),
    usageTables,
  );

  expect(explained.flatMap(({ scans }) => scans).join()).toContain('chats_out_of_credits');
  for (const { rows } of explained) expect(rows).toBeLessThan(10);
});
