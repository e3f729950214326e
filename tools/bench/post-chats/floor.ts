import { randomUUID } from 'node:crypto';
import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of POST chats with a workflow: the same rows in the same tables, with the same number of inserts in one
 * transaction, without look-ups, checks, updates or evaluation of expressions.
 */

serveFloor<Record<string, number>>(
  /^\/w\/(\d+)\/chats$/,
  async ({ client, ids: [workspaceId], body }) => {
    const { memberId, assistantMemberId, workflowId, revisionId } = body;
    const insert = async (sql: string, values: unknown[]) =>
      (await client.query(sql, [workspaceId, ...values])).rows;
    const [chat] = await insert(
      `insert into chats (workspace_id, channel, chat_type, member_id, created_by_member_id,
         assistant_member_id, definition_id, revision_id, version)
       values ($1, 'web-chat', 'workflow', $2, $2, $3, $4, $5, 1) returning *`,
      [memberId, assistantMemberId, workflowId, revisionId],
    );
    await insert(
      `insert into chat_participants (workspace_id, chat_id, member_id, role)
       values ($1, $2, $3, 'user'), ($1, $2, $4, 'assistant')`,
      [chat.id, memberId, assistantMemberId],
    );
    const [assignment] = await insert(
      `insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id,
         created_by_member_id, automatic_steps)
       values ($1, $2, $3, $4, $5, $2, 1) returning *`,
      [memberId, workflowId, revisionId, chat.id],
    );
    const [root] = await insert(
      `insert into assignment_tasks (workspace_id, assignment_id, task_id)
       select $1, $2, id from workflow_tasks where revision_id = $3 order by id returning *`,
      [assignment.id, revisionId],
    );
    await insert(
      `insert into assignment_timeline_entries (workspace_id, assignment_id, assignment_task_id, chat_id, caused_by)
       values ($1, $2, $3, $4, 'automatic')`,
      [assignment.id, root.id, chat.id],
    );
    await insert(
      `insert into outbox (workspace_id, run_type, subject, action, input)
       values ($1, 'runAssignment', $2, 'start', $3)`,
      [assignment.uuid, { assignmentId: assignment.id, chatId: chat.id, requestUuid: randomUUID() }],
    );
    return { ...chat, assignment };
  },
  { creates: true },
);
