import pg from 'pg';
import { fillTables } from '../db/fill-tables.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

/** Which of the chats, by their number `i`, have something that a net looks for. */
export interface ManyChats {
  total: number;
  /** A turn of the agent is owed; the member has waited for an hour. */
  unanswered: string;
  /** The same, but no agent is there: colleagues answer such a chat. */
  withoutAgent: string;
  /** Its assignment is active, and not completed. */
  active: string;
  /** A follow-up is to come, and did not fire long ago. */
  toFollowUp: string;
  /** Its message waits to be sent. */
  unsent: string;
  /** The receipt of its message is late. Of all others the receipt came, or none ever will. */
  late: string;
  /** The attempt at its event is overdue, and was not delivered long ago. */
  overdue: string;
}

/** How many messages more the last chat has, all sent, of which no receipt ever comes. */
export const sentInLastChat = 20_000;

const tables = ['chats', 'assignments', 'follow_ups', 'deliveries', 'webhook_deliveries'];

/**
 * So many chats of each workspace, each with an assignment, a follow-up, a message and the delivery of an event, filled
 * in as fast as PostgreSQL can: with nothing else than what nets look at. Nothing is analysed: a table that was just
 * filled has no statistics.
 *
 * @returns the id of each workspace's last chat
 */
export async function makeManyChats(
  superuserUrl: string,
  places: readonly [TestWorkspace, ManyChats][],
): Promise<number[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const last: number[] = [];
    await fillTables(client, tables, async () => {
      for (const place of places) last.push(await fill(client, ...place));
    });
    return last;
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, workspace: TestWorkspace, chats: ManyChats): Promise<number> {
  const { workspaceId, member } = workspace;
  const { rows } = await client.query('select coalesce(max(id), 0) as last from chats');
  const before = Number(rows[0].last);
  const numbers = `generate_series(1, ${chats.total}) as i`;
  const uuid = `('00000000-0000-4000-8000-' || lpad(to_hex(${before} + i), 12, '0'))::uuid`;
  const common = `${workspaceId}, ${uuid}`;
  const ago = (time: string) => `now() - interval '${time}'`;
  const tag = randomTag();
  const statements = [
    `insert into chats (id, workspace_id, uuid, channel, chat_type, member_id, version, handled_version,
       assistant_enabled, turn_owed_since)
     overriding system value
     select ${before} + i, ${common}, 'phone-sms', 'simple', ${member.memberId}, 5,
       case when ${chats.unanswered} or ${chats.withoutAgent} then 4 else 5 end, not ${chats.withoutAgent},
       case when ${chats.unanswered} then ${ago('1 hour')} end
     from ${numbers}`,
    `insert into assignments (workspace_id, uuid, member_id, definition_id, revision_id, chat_id, status, concluded_at)
     select ${common}, ${member.memberId}, 1, 1, ${before} + i,
       case when ${chats.active} then 'active' else 'completed' end, case when not ${chats.active} then now() end
     from ${numbers}`,
    `insert into follow_ups (workspace_id, uuid, chat_id, instructions, due_at, fired_at)
     select ${common}, ${before} + i, '', now(), case when not ${chats.toFollowUp} then now() end from ${numbers}`,
    `insert into deliveries (workspace_id, uuid, chat_id, message_id, channel, sender, recipient, state, receipt_due_at)
     select ${common}, ${before} + i, ${before} + i, 'phone-sms', '${tag}', '${tag}' || i,
       case when ${chats.unsent} then 'queued' when ${chats.late} or i % 2 = 0 then 'sent' else 'delivered' end,
       case when ${chats.late} then ${ago('1 hour')} end
     from ${numbers}`,
    `insert into webhook_deliveries (workspace_id, uuid, event_rule_id, event_id, event_type, trigger, status,
       next_attempt_at, created_at, completed_at)
     select ${common}, 1, ${before} + i, 'chat:created', 'event',
       case when ${chats.overdue} then 'pending' else 'delivered' end,
       case when ${chats.overdue} then ${ago('1 hour')} end, now(), case when not ${chats.overdue} then now() end
     from ${numbers}`,
  ];
  for (const statement of statements) await client.query(statement);
  await client.query(
    `insert into deliveries (workspace_id, chat_id, message_id, channel, sender, recipient, state)
     select ${workspaceId}, ${before + chats.total}, -i, 'phone-sms', '${tag}', '${tag}', 'sent'
     from generate_series(1, ${sentInLastChat}) as i`,
  );
  return before + chats.total;
}
