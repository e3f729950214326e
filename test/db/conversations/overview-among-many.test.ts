import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countActiveAssignments,
  countCallsAndFailures,
  countEventTroubles,
  countHeldWorkflows,
  countQueueForMember,
  mostCounted,
} from '../../../db/conversations/overview.js';
import type { Tx } from '../../../db/tx.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 20_000);
const tables = [
  'chats',
  'assignments',
  'phone_calls',
  'messages',
  'webhook_deliveries',
  'workflow_definitions',
];
const stage = useWorkspace();
let superuser: pg.Client;

/** Everything waits, goes on, fails and stands, or (`i` odd) is over. */
beforeAll(async () => {
  superuser = await connect(stage.database.superuserUrl);
  const { workspaceId: workspace, member } = stage.workspace;
  const numbers = `generate_series(1, ${total}) as i`;
  const over = 'i % 2 = 1';
  await fillTables(superuser, tables, async () => {
    for (const statement of [
      `insert into chats (id, workspace_id, channel, chat_type, member_id, needs_response, needs_response_since, standing_reason)
       overriding system value
       select 1000000 + i, ${workspace}, 'web-chat', 'simple', ${member.memberId}, i % 2 = 0,
         case when i % 2 = 0 then now() - i * interval '1 second' end, case when i % 4 = 0 then 'no_way_on' end from ${numbers}`,
      `insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id, status, concluded_at)
       select ${workspace}, ${member.memberId}, 1, 1, 1000000 + i,
         case when ${over} then 'completed' else 'active' end, case when ${over} then now() end from ${numbers}`,
      `insert into phone_calls (workspace_id, chat_id, phone_number_id, inbound, begun_by, remote_number, status, finished_at)
       select ${workspace}, 1000000 + i, 1, true, 'api', '+1555', case when ${over} then 'completed' else 'in-progress' end,
         case when ${over} then now() end from ${numbers}`,
      `insert into messages (workspace_id, chat_id, role, content, sms_delivery_status)
       select ${workspace}, 1000000 + i, 'assistant', '"hello"', case when ${over} then 'sent' else 'failed' end from ${numbers}`,
      `insert into webhook_deliveries (workspace_id, event_rule_id, event_id, event_type, trigger, status, next_attempt_at,
         created_at, completed_at)
       select ${workspace}, 1, i, 'chat:created', 'event', case when ${over} then 'delivered' else 'pending' end,
         case when not ${over} then now() end, now(), case when ${over} then now() end from ${numbers}`,
      `insert into workflow_definitions (workspace_id, name, held_at)
       select ${workspace}, 'Workflow ' || i, case when not ${over} then now() end from ${numbers}`,
    ]) {
      await superuser.query(statement);
    }
  });
}, 600_000);
afterAll(() => superuser.end());

const now = new Date();
const counts: [string, (tx: Tx) => Promise<object>, object][] = [
  [
    'chats that wait',
    (tx) => countQueueForMember(tx, stage.workspace.member.memberId, now),
    { total: mostCounted, open: mostCounted },
  ],
  [
    'calls and failed messages',
    (tx) => countCallsAndFailures(tx, new Date(now.getTime() - 86_400_000)),
    { runningPhoneCalls: mostCounted, failedMessages: mostCounted },
  ],
  ['assignments', countActiveAssignments, { active: mostCounted, standing: mostCounted / 2 }],
  ['deliveries', countEventTroubles, { waitingDeliveries: mostCounted }],
  ['held workflows', countHeldWorkflows, { heldWorkflows: mostCounted }],
];

for (const analyzed of [false, true]) {
  it.each(counts)(`%s are counted by what is counted, analyzed: ${analyzed}`, async (_what, read, told) => {
    if (analyzed) await superuser.query(`analyze ${tables.join(', ')}`);
    const { workspaceId } = stage.workspace;
    let found: object = {};
    const plans = await explaining(
      stage.database.appUrl,
      workspaceId,
      async (db) => {
        found = await db.readInWorkspace(workspaceId, read);
      },
      /count\(/,
    );

    expect(found).toMatchObject(told);
    expect(
      plans
        .flatMap(({ scans }) => scans)
        .filter((scan) => scan.startsWith('Seq Scan') && !scan.endsWith('event_rules')),
    ).toEqual([]);
    expect(Math.max(...plans.map(({ rows }) => rows))).toBeLessThan(3 * mostCounted);
  });
}
