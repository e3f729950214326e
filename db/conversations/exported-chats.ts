import { statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { type ChatFilter, filteredChats, sqlOf } from './chat-lists.js';

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of an export of chats, in order: of a chat `c` and its assignment `a`. */
const columns = {
  id: 'c.id',
  uuid: 'c.uuid',
  channel: 'c.channel',
  chatType: 'c.chat_type',
  title: 'c.title',
  summary: 'c.summary',
  memberId: 'c.member_id',
  memberName: '(select name from members where members.id = c.member_id)',
  assistantMemberId: 'c.assistant_member_id',
  workflowId: 'c.definition_id',
  workflowRevisionId: 'c.revision_id',
  assignmentId: 'a.id',
  currentTaskName: 'a.name',
  phoneNumberId: 'c.phone_number_id',
  // Slugs have no commas.
  labels: `(select string_agg(label.slug, ',' order by label.name, label.id) from chat_label_links link
    join chat_labels label on label.id = link.chat_label_id where link.chat_id = c.id)`,
  archived: 'c.archived',
  muted: 'c.muted',
  paused: 'c.paused',
  pausedReason: 'c.paused_reason',
  needsResponse: 'c.needs_response',
  needsResponseReason: 'case when c.needs_response then c.needs_response_reason end',
  isTest: 'c.is_test',
  messageCount: 'c.message_count',
  lastMessageReceivedAt: instant('c.last_message_received_at'),
  createdAt: instant('c.created_at'),
  updatedAt: instant('c.updated_at'),
};

// Looked up for each chat: a join would read the assignments of all chats for each batch.
const assignmentOfChat = `select assignments.id, workflow_tasks.name from assignments
  left join assignment_tasks on assignment_tasks.id = assignments.current_task_id
  left join workflow_tasks on workflow_tasks.id = assignment_tasks.task_id
  where assignments.chat_id = c.id limit 1`;

const selected = Object.entries(columns)
  .map(([name, value]) => `${value} as "${name}"`)
  .join(', ');

type Column = keyof typeof columns;
export type ExportedChat = Record<Column, string | number | boolean | null> & { id: number };
export const exportedColumns = Object.keys(columns) as readonly Column[];

/**
 * Selects the chats of a filter as an export shows them, in order of id, beginning after one. Plain rows: models, and
 * the details of each chat as objects, take several times as long (`npm run bench -- export-chats`).
 */
export async function selectExportedChatsAfter(
  tx: Tx,
  filter: ChatFilter,
  afterId: number,
  limit: number,
): Promise<ExportedChat[]> {
  const found = sqlOf(filteredChats(tx, filter).where('id', '>', afterId).orderBy('id').limit(limit));
  return statement(
    tx,
    `with c as (${found.text})
     select ${selected} from c left join lateral (${assignmentOfChat}) a on true order by c.id`,
    found.bindings,
  );
}
