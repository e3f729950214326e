import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addAssignment } from '../../../test/support/workspace/factories.js';
import type { Effort, Figure } from '../figure.js';
import { waitingTasks } from '../select-task/waiting-tasks.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { rateOf } from '../support/durations.js';
import { memoryProbe, residentMegabytes } from '../support/memory-probe.js';

const count = ({ operations }: Effort) => operations * 400;

export const exportChats: Figure = {
  name: 'export-chats',
  title: 'Export of 24,000 chats, beside COPY of the same rows',
  unit: 'rows/s',
  target: { ratioAtLeast: 0.3 },
  async prepare(stage, effort) {
    const api = await stage.startApi();
    await addChats(stage, count(effort));
    return {
      floor: () => rateOf(count(effort), () => copyChats(stage)),
      measured: () => rateOf(count(effort), () => readExport(stage, api, count(effort))),
    };
  },
};

const lookEveryMs = 5;

/** The peak growth of the api's resident memory during an export. */
export const exportChatsMemory: Figure = {
  name: 'export-chats-memory',
  title: 'Growth of the api’s resident memory by an export of 24,000 chats',
  unit: 'MB',
  target: { atMost: 20 },
  async prepare(stage, effort) {
    const probe = await memoryProbe();
    const api = await stage.startApi(probe.extras);
    await addChats(stage, count(effort));
    return {
      measured: async () => {
        // Warm up: compile the code and open the connections first.
        await readExport(stage, api, count(effort));
        await probe.read();
        const before = residentMegabytes(api.pid);
        let most = before;
        let isOver = false;
        const look = async () => {
          while (!isOver) {
            most = Math.max(most, residentMegabytes(api.pid));
            await pause(lookEveryMs);
          }
        };
        const looking = look();
        await readExport(stage, api, count(effort));
        isOver = true;
        await looking;
        return most - before;
      },
    };
  },
};

/** @throws Error if a row is missing */
async function readExport({ workspace }: Stage, api: StageProcess, rows: number): Promise<void> {
  const response = await fetch(`${api.url}/api/v2${workspace.path('/chats/export')}`, {
    headers: { authorization: `Bearer ${workspace.admin.apiKey}` },
  });
  if (!response.ok || response.body === null) throw new Error(`The export was answered ${response.status}.`);
  let lines = 0;
  for await (const piece of response.body) {
    for (const byte of piece) if (byte === 10) lines += 1;
  }
  if (lines !== rows + 1) throw new Error(`The export has ${lines} lines.`);
}

/** The floor: the columns of the export, of the whole workspace, as PostgreSQL writes them. */
async function copyChats({ superuserUrl, workspace }: Stage): Promise<void> {
  await onDatabase(superuserUrl, async (client) => {
    await client.query(
      `copy (
         select c.id, c.uuid, c.channel, c.chat_type, c.title, c.summary, c.member_id, m.name, c.assistant_member_id,
           c.definition_id, c.revision_id, a.id, task.name, c.phone_number_id,
           (select string_agg(l.slug, ',' order by l.name) from chat_label_links link
            join chat_labels l on l.id = link.chat_label_id where link.chat_id = c.id),
           c.archived, c.muted, c.paused, c.paused_reason, c.needs_response, c.needs_response_reason, c.is_test,
           c.message_count, c.last_message_received_at, c.created_at, c.updated_at
         from chats c
         left join members m on m.id = c.member_id
         left join assignments a on a.chat_id = c.id
         left join assignment_tasks current on current.id = a.current_task_id
         left join workflow_tasks task on task.id = current.task_id
         where c.workspace_id = ${workspace.workspaceId} order by c.id
       ) to stdout (format csv)`,
    );
  });
}

/** Copies of one chat, each with its assignment and its participants, and every other with a label. */
async function addChats({ superuserUrl, workspace }: Stage, chats: number): Promise<void> {
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
  await onDatabase(superuserUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    const firstId = 1_000_000;
    const copies = `generate_series(${firstId}, ${firstId + chats - 2}) copy`;
    for (const [table, own, where] of [
      ['chats', "'id', copy, 'title', 'Chat ' || copy", `id = ${assignment.chatId}`],
      ['assignments', "'id', copy, 'chat_id', copy", `id = ${assignment.id}`],
      [
        'chat_participants',
        `'id', copy * 10 + original.id % 10, 'chat_id', copy`,
        `chat_id = ${assignment.chatId}`,
      ],
    ]) {
      const columns = await client.query<{ uuid: boolean }>(
        `select exists (select 1 from information_schema.columns where table_name = $1 and column_name = 'uuid') as uuid`,
        [table],
      );
      const uuid = columns.rows[0]?.uuid ? `, 'uuid', gen_random_uuid()` : '';
      await client.query(
        `insert into ${table} overriding system value
         select (jsonb_populate_record(original, jsonb_build_object(${own}${uuid}))).*
         from ${table} original, ${copies} where original.${where}`,
      );
    }
    await client.query(
      `with label as (
         insert into chat_labels (workspace_id, name, slug, color, description)
         values ($1, 'Waiting room', 'waiting-room', '#336699', '') returning id
       )
       insert into chat_label_links (workspace_id, chat_id, chat_label_id)
       select $1, copy, label.id from label, ${copies} where copy % 2 = 0`,
      [workspace.workspaceId],
    );
    await client.query('delete from outbox');
    await client.query('vacuum analyze chats, assignments, chat_participants, chat_label_links');
  });
}

async function onDatabase(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
