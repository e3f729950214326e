import { randomUUID } from 'node:crypto';
import type pg from 'pg';

export interface FloorRequest {
  /** In a transaction, under the row-level security of the workspace. */
  client: pg.PoolClient;
  workspaceId: string;
  /** The groups of the path after the workspace. */
  ids: readonly string[];
  body: Readonly<Record<string, unknown>>;
}

export interface Floor {
  path: RegExp;
  /** With a body, and 201 as its answer. */
  creates?: boolean;
  answer: (request: FloorRequest) => Promise<unknown>;
}

/** The rows of one statement, whose values are the ids of the path. */
const rowsOf =
  (sql: string): Floor['answer'] =>
  async ({ client, ids }) =>
    (await client.query(sql, [...ids])).rows;

const rowOf =
  (sql: string): Floor['answer'] =>
  async ({ client, ids }) =>
    (await client.query(sql, [...ids])).rows[0];

export const recordById = `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
  where r.data_type_id = $1 and r.id = $2`;

const inGroup = `from data_record_values v where v.workspace_id = $1 and v.data_type_id = $2 and v.field = 'group'
  and not v.retired and v.text_value is null and v.number_value = $3`;

/** What a request costs without API keys, permissions, validation and log, by the name of its figure (docs/bench.md). */
export const floors = {
  'get-messages': {
    path: /^\/w\/(\d+)\/chats\/(\d+)\/messages$/,
    answer: rowsOf(
      'select * from messages where chat_id = $1 and sub_conversation_of is null order by id desc limit 10',
    ),
  },
  'get-record': {
    path: /^\/w\/(\d+)\/data-types\/(\d+)\/records\/(\d+)$/,
    answer: rowOf(recordById),
  },
  'get-file': {
    path: /^\/w\/(\d+)\/files\/(\d+)$/,
    answer: rowOf(
      `select f.*, row_to_json(d) as folder, o.uuid as object_uuid, o.sha256,
         (select coalesce(json_agg(l), '[]') from file_label_links k join file_labels l on l.id = k.file_label_id
           where k.file_id = f.id) as labels,
         (select count(*) from file_shares s where s.file_id = f.id and s.revoked_at is null
           and (s.expires_at is null or s.expires_at > now())) as share_count
       from files f join file_versions v on v.id = f.current_version_id join stored_objects o on o.id = v.object_id
         left join folders d on d.id = f.folder_id
       where f.id = $1`,
    ),
  },
  'list-page': {
    path: /^\/w\/(\d+)\/data-types\/(\d+)\/records\/group\/(\d+)$/,
    async answer({ client, workspaceId, ids }) {
      const values = [workspaceId, ...ids];
      const text = `select count(*)::int as total ${inGroup}`;
      const counted = await client.query({ name: 'count', text, values });
      const { rows } = await client.query({
        name: 'page',
        text: `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
          where r.id in (select v.record_id ${inGroup}) order by r.id limit 25`,
        values,
      });
      return { items: rows, total: counted.rows[0].total };
    },
  },
  'site-page': {
    path: /^\/w\/(\d+)\/pages\/(\d+)\/([a-z0-9-]+)$/,
    async answer({ client, ids }) {
      const { rows } = await client.query(
        `select d.published_html from site_pages p join site_page_documents d on d.page_id = p.id
         where p.site_id = $1 and p.slug = $2 and p.published_at is not null and d.published_version is not null`,
        [...ids],
      );
      return rows[0].published_html;
    },
  },
  'create-record': {
    path: /^\/w\/(\d+)\/data-types\/(\d+)\/records$/,
    creates: true,
    async answer({ client, workspaceId, ids, body: { memberId, fieldValues } }) {
      const { rows } = await client.query(
        `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values)
         values ($1, $2, $3, false, $4) returning *`,
        [workspaceId, ...ids, memberId, fieldValues],
      );
      return rows[0];
    },
  },
  'post-chats': { path: /^\/w\/(\d+)\/chats$/, creates: true, answer: insertChat },
} satisfies Record<string, Floor>;

/** A chat with its assignment: the same number of inserts as in the service. */
async function insertChat({ client, workspaceId, body }: FloorRequest) {
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
}
