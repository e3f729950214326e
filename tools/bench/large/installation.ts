import type pg from 'pg';
import { insertMessage } from '../../../db/conversations/messages.js';
import { writeEvents } from '../../../domain/kernel/events/write-events.js';
import { connect } from '../../../test/support/db/connect.js';
import { fillTables } from '../../../test/support/db/fill-tables.js';
import { addAssignment, addMemberRow } from '../../../test/support/workspace/factories.js';
import { event } from '../deliver-webhooks/event.js';
import { addRule } from '../deliver-webhooks/figure.js';
import { waitingTasks } from '../select-task/waiting-tasks.js';
import { type Backends, openStage, type Stage } from '../stage/stage.js';
import { addAssistant } from '../support/ask.js';
import { copyRows, filledTables, moveSequence } from './copy-rows.js';

/** A whole installation has so many, a million open assignments and a hundred million messages. */
const workspaces = 5_000;
const assignmentsEach = 200;
const messagesEach = 100;
const eventsEach = 10;

/** Between the ids of one assignment, or workspace, and those of its copy. */
const assignmentStep = 1_000;
const workspaceStep = assignmentStep * (assignmentsEach + 1);

/** Some of what is in the workspace of the stage. */
export interface Installation {
  stage: Stage;
  chats: readonly number[];
  assignments: readonly number[];
}

/** A part of a whole installation: rows without runs. All workspaces are alike. */
export async function openInstallation(backends: Backends, part: number): Promise<Installation> {
  const stage = await openStage(backends);
  const { id, chatId, memberId } = await addOne(stage);
  const client = await connect(stage.superuserUrl);
  try {
    const tables = await filledTables(client);
    await fillTables(client, tables, async () => {
      await copyAssignment(client, memberId);
      await copyWorkspace(client, tables, Math.max(0, Math.round(workspaces * part) - 1));
    });
    for (const table of ['identity.workspaces', ...tables]) await moveSequence(client, table);
    await client.query('truncate outbox');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
  const some = (first: number) => Array.from({ length: 20 }, (_, nth) => first + nth * 10 * assignmentStep);
  return { stage, chats: some(chatId), assignments: some(id) };
}

/** The only assignment in the database, of a member of its own. */
async function addOne(stage: Stage) {
  const { workspace } = stage;
  await addAssistant(stage);
  await addRule(stage, 'http://127.0.0.1:9/');
  const { id: memberId } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id });
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks, memberId });
  const { id, chatId } = assignment;
  await workspace.within(async (tx) => {
    for (let made = 0; made < messagesEach; made += 1) {
      const role = made % 2 === 0 ? 'user' : 'assistant';
      const content = `Sentence ${made} of a conversation about the hours of the clinic, and what to bring along.`;
      await insertMessage(tx, { chatId, role, author: 'member', content });
    }
    const events = Array.from({ length: eventsEach }, () => event);
    await writeEvents(tx, events, new Date());
    await tx.raw(`update webhook_deliveries set status = 'delivered', completed_at = created_at`);
  });
  return { id, chatId, memberId };
}

/** Tables whose rows all belong to that assignment, but for other members. */
const ofAssignment = [
  'members',
  'chats',
  'chat_participants',
  'messages',
  'assignments',
  'assignment_tasks',
  'assignment_timeline_entries',
  'events',
  'webhook_deliveries',
];
/** What refers to rows of these tables. */
const idsInAssignment = [
  'id',
  'chat_id',
  'assignment_id',
  'assignment_task_id',
  'from_assignment_task_id',
  'current_task_id',
  'parent_id',
  'message_id',
  'entered_after_message_id',
  'event_id',
];

async function copyAssignment(client: pg.Client, memberId: number): Promise<void> {
  const step = `copy * ${assignmentStep}`;
  for (const table of ofAssignment) {
    await copyRows(client, {
      table,
      where: table === 'members' ? `original.id = ${memberId}` : 'true',
      times: assignmentsEach - 1,
      differing({ name }) {
        if (idsInAssignment.includes(name)) return `original.${name} + ${step}`;
        if (name !== 'member_id') return ofNobodyElse(name, step);
        return `case original.member_id when ${memberId} then ${memberId} + ${step} else original.member_id end`;
      },
    });
  }
}

async function copyWorkspace(client: pg.Client, tables: readonly string[], times: number): Promise<void> {
  const step = `copy * ${workspaceStep}`;
  await copyRows(client, {
    table: 'identity.workspaces',
    where: 'true',
    times,
    differing: ({ name }) =>
      name === 'id' ? 'original.id + copy' : name === 'slug' ? `'copy-' || copy` : ofNobodyElse(name, step),
  });
  for (const table of tables) {
    await copyRows(client, {
      table,
      where: 'true',
      times,
      differing({ name, type }) {
        if (name === 'workspace_id') return 'original.workspace_id + copy';
        const isId = type === 'bigint' && /^(.*_)?id$/.test(name) && name !== 'account_id';
        return isId ? `original.${name} + ${step}` : ofNobodyElse(name, step);
      },
    });
  }
}

/** What no two rows have. */
function ofNobodyElse(column: string, step: string): string | undefined {
  if (column === 'uuid') return 'gen_random_uuid()';
  if (column === 'email') return `'person-' || original.id + ${step} || '@example.com'`;
  return ['phone', 'external_id'].includes(column) ? 'null' : undefined;
}
