import { beforeAll, expect, it } from 'vitest';
import { readTimeline } from '../../../domain/assignments/timeline/read-timeline.js';
import { readChanges } from '../../../domain/conversations/chat-events/read-changes.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { connect } from '../../support/db/connect.js';
import { type Explained, explaining } from '../../support/db/explained.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const ofChat = 10_000;
let staged: StagedAssignment;

/** A long timeline between many short ones of the same workspace. */
beforeAll(async () => {
  const { workspace } = suite;
  staged = await stageAssignment(workspace, conversationTasks());
  const client = await connect(suite.database.superuserUrl);
  try {
    await client.query('set session_replication_role = replica');
    const fill = (chat: string, revision: string, count: number) =>
      client.query(
        `insert into assignment_timeline_entries (workspace_id, assignment_id, chat_id, kind, revision)
         select $1, $2, ${chat}, case when i % 5 = 0 then 'refused' else 'completed' end, ${revision}
         from generate_series(1, ${count}) i`,
        [workspace.workspaceId, staged.assignmentId],
      );
    await fill(String(staged.chatId), 'i', ofChat);
    await fill(`${staged.chatId} + 1 + i % 5000`, 'i / 5000', 50_000);
    await client.query(
      `insert into messages (workspace_id, chat_id, role, content, created_revision, revision)
       select $1, $2::bigint + i % 100, 'user', '"Hello"', i, i from generate_series(0, 20000) i`,
      [workspace.workspaceId, staged.chatId],
    );
    await client.query('update chats set revision = 20000, timeline_revision = 10000 where id = $1', [
      staged.chatId,
    ]);
    await client.query('analyze assignment_timeline_entries, messages, assignment_tasks, workflow_tasks');
  } finally {
    await client.end();
  }
}, 300_000);

const explained = (work: Parameters<typeof explaining>[2]) =>
  explaining(suite.database.appUrl, suite.workspace.workspaceId, work, /timeline_entries|from messages/);

/** The other tables are small, so that PostgreSQL reads them as a whole. */
const longTable = /Seq Scan (assignment_timeline_entries|messages)/;
const rowsOf = (plans: Explained[]) => plans.reduce((sum, { rows }) => sum + rows, 0);
const scansOf = (plans: Explained[]) => plans.flatMap(({ scans }) => scans);

it.each([
  ['from its beginning', { order: 'asc' }],
  ['from its end', { order: 'desc' }],
  ['in the middle', { order: 'asc', after: '5000-1' }],
  ['backwards from the middle', { order: 'desc', after: '5000-1' }],
] as const)(
  'readTimeline reads a page %s by the index of the order, and little more',
  async (_where, wanted) => {
    const context = suite.workspace.context();

    const plans = await explained((db) =>
      readTimeline({ ...context, db }, staged.assignmentId, { limit: 50, ...wanted }),
    );

    const scans = scansOf(plans);
    expect(scans.filter((scan) => scan.includes('timeline_entries_in_order'))).toHaveLength(1);
    expect(scans.filter((scan) => longTable.test(scan))).toEqual([]);
    expect(rowsOf(plans)).toBeLessThan(1_000);
  },
);

it('readChanges reads the new entries of a followed chat by the same index', async () => {
  const place = { workspaceId: suite.workspace.workspaceId, chatId: staged.chatId };

  const plans = await explained((db) => readChanges(db, place, 9_990));

  const scans = scansOf(plans);
  expect(scans.filter((scan) => scan.includes('timeline_entries_in_order')).length).toBeGreaterThan(0);
  expect(scans.filter((scan) => longTable.test(scan))).toEqual([]);
  expect(rowsOf(plans)).toBeLessThan(1_000);
});
