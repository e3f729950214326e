import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countOutcomes } from '../../../db/assignments/outcome-counts.js';
import {
  countAnswersByDay,
  countFailuresByReason,
  selectWaitFigures,
} from '../../../db/conversations/answer-figures.js';
import type { Tx } from '../../../db/tx.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 50_000);
const tables = ['chats', 'messages', 'assignments', 'assignment_tasks'];
const stage = useWorkspace();
let superuser: pg.Client;

const dayMs = 86_400_000;
const ends = new Date('2030-04-01T00:00:00Z');
/** Messages are of 300 days, of which a figure counts 30: of ten messages, a chat has five questions and their answers. */
const allDays = 300;
const countedDays = 30;
const begins = Array.from(
  { length: countedDays },
  (_, at) => new Date(ends.getTime() - (countedDays - at) * dayMs),
);
const days = { dates: begins.map((date) => date.toISOString().slice(0, 10)), begins, ends };

beforeAll(async () => {
  superuser = await connect(stage.database.superuserUrl);
  const { workspaceId: workspace, member } = stage.workspace;
  const created = `timestamptz '2030-04-01' - (${total} - i) * interval '${allDays} days' / ${total} - interval '1 second'`;
  const numbers = `generate_series(1, ${total}) as i`;
  await fillTables(superuser, tables, async () => {
    for (const statement of [
      `insert into chats (id, workspace_id, channel, chat_type, member_id, created_at) overriding system value
       select 1000000 + i, ${workspace}, 'web-chat', 'simple', ${member.memberId}, ${created} from ${numbers} where i % 10 = 0`,
      `insert into messages (workspace_id, chat_id, role, author, content, sms_delivery_status, sms_delivery_failure_reason, created_at)
       select ${workspace}, 1000000 + i / 10 * 10, case when i % 2 = 0 then 'user' else 'assistant' end,
         case when i % 2 = 0 then 'member' when i % 3 = 0 then 'person' else 'agent' end, '"hello"',
         case when i % 100 = 1 then 'failed' end, case when i % 100 = 1 then 'unreachable' end, ${created} from ${numbers}`,
      `insert into assignments (id, workspace_id, member_id, definition_id, revision_id, chat_id, status, current_task_id, created_at)
       overriding system value
       select 1000000 + i, ${workspace}, ${member.memberId}, i / 10 % 7, 1, 1000000 + i, 'active', 2000000 + i, ${created}
       from ${numbers} where i % 10 = 0`,
      `insert into assignment_tasks (id, workspace_id, assignment_id, task_id) overriding system value
       select 1990000 + i, ${workspace}, 1000000 + i / 10 * 10, i % 10 from ${numbers}`,
    ]) {
      await superuser.query(statement);
    }
  });
  await superuser.query(`vacuum analyze ${tables.join(', ')}`);
}, 600_000);
afterAll(() => superuser.end());

const share = countedDays / allDays;
const figures: [string, (tx: Tx) => Promise<object[]>, string, number][] = [
  ['waits', (tx) => selectWaitFigures(tx, {}, days), 'messages_answers', 3],
  // Each chat is asked whether it is a test.
  [
    'waits without tests',
    (tx) => selectWaitFigures(tx, { isTest: false }, days),
    'messages_answers',
    3 + 0.1 / share,
  ],
  ['answers', (tx) => countAnswersByDay(tx, {}, days), 'messages_answers', 1.1],
  ['failures', (tx) => countFailuresByReason(tx, days), 'messages_failed_by_time', 0.02],
  [
    'outcomes',
    (tx) => countOutcomes(tx, 'task', { begins: begins[0] as Date, ends }, 100),
    'assignments_by_creation',
    0.3,
  ],
];

it.each(figures)(
  '%s of a month are counted by what happened in it',
  async (_what, read, index, rowsOfEach) => {
    const { workspaceId } = stage.workspace;
    let found: object[] = [];
    const plans = await explaining(
      stage.database.appUrl,
      workspaceId,
      async (db) => {
        found = await db.readInWorkspace(workspaceId, read);
      },
      /count\(/,
    );

    expect(found).not.toEqual([]);
    expect(plans.flatMap(({ scans }) => scans).join()).toContain(index);
    expect(
      plans.flatMap(({ scans }) => scans).filter((scan) => /Seq Scan (messages|assign)/.test(scan)),
    ).toEqual([]);
    expect(Math.max(...plans.map(({ rows }) => rows))).toBeLessThan(total * share * rowsOfEach + 500);
  },
);
