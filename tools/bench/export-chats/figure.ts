import { queryOnce } from '../../../test/support/db/connect.js';
import { memoryProbe } from '../../dev/memory/memory-probe.js';
import type { Effort, Figure } from '../figure.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { addAssignments } from '../support/add-assignments.js';
import { rateOf } from '../support/durations.js';
import { peakGrowth } from '../support/peak-growth.js';

const count = ({ operations }: Effort) => operations * 400;

export const exportChatList: Figure = {
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
    const work = () => readExport(stage, api, count(effort));
    return { measured: () => peakGrowth(api, probe, { warmUp: work, work, everyMs: 5 }) };
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
  await queryOnce(
    superuserUrl,
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
}

/** Chats with their assignments and participants, and every other with a label. */
async function addChats(stage: Stage, chats: number): Promise<void> {
  const { workspaceId } = stage.workspace;
  await addAssignments(stage, chats, async ({ client, copies, chatId, copy }) => {
    const own = `'id', copy * 10 + original.id % 10, 'chat_id', copy`;
    await copy('chat_participants', own, `chat_id = ${chatId}`);
    await client.query(
      `with label as (
         insert into chat_labels (workspace_id, name, slug, color, description)
         values ($1, 'Waiting room', 'waiting-room', '#336699', '') returning id
       )
       insert into chat_label_links (workspace_id, chat_id, chat_label_id)
       select $1, copy, label.id from label, ${copies} where copy % 2 = 0`,
      [workspaceId],
    );
  });
}
