import type pg from 'pg';
import { fillTables } from '../db/fill-tables.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** Names of rows that `callsTogether` of the calls have in common, and of a number that all others have. */
export interface ManyCalls {
  chatId: number;
  memberId: number;
  quietNumberId: number;
  busyNumberId: number;
  remoteNumber: string;
  /** When the latest call was created. */
  latestAt: Date;
}

/** How many calls each chat and member has, and the quiet number. */
export const callsTogether = 50;
/** How many calls go on. */
export const callsUp = 20;

const many = {
  chatId: 1_000_003,
  memberId: 2_000_003,
  quietNumberId: 3_000_001,
  busyNumberId: 3_000_002,
  remoteNumber: '+15550000003',
};
const began = '2030-01-01T00:00:00Z';

/**
 * So many calls in the workspace, a second apart, of which a hundredth was busy. They are stored by a superuser, without keys of other
 * tables: a table that was just filled has no statistics.
 */
export async function makeManyCalls(
  superuser: pg.Client,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  total: number,
): Promise<ManyCalls> {
  const groups = Math.ceil(total / callsTogether);
  await fillTables(superuser, ['phone_calls', 'chats'], async () => {
    await superuser.query(
      `insert into phone_calls (workspace_id, chat_id, phone_number_id, member_id, inbound, begun_by, remote_number,
         carrier_call_id, status, termination_reason, started_at, finished_at, settled_at, created_at, updated_at)
       select $1, 1000000 + i % groups, case when i <= ${callsTogether} then ${many.quietNumberId} else ${many.busyNumberId} end,
         2000000 + i % groups, i % 2 = 0, 'api', '+1555' || lpad((i % groups)::text, 7, '0'), 'CA' || i,
         case when i > total - ${callsUp} then 'in-progress' when i % 100 = 0 then 'busy' else 'completed' end,
         case when i % 100 <> 0 then 'completed' end, case when i % 100 <> 0 then moment end,
         case when i <= total - ${callsUp} then moment + interval '1 minute' end,
         case when i <= total - ${callsUp} then moment end, moment, moment
       from (select i, $2::bigint as total, $3::bigint as groups, $4::timestamptz + i * interval '1 second' as moment
         from generate_series(1, $2::bigint) i) numbered`,
      [workspaceId, total, groups, began],
    );
    await superuser.query(
      `insert into chats (id, workspace_id, channel, chat_type, member_id) overriding system value
       values ($1, $2, 'phone-voice', 'simple', $3)`,
      [many.chatId, workspaceId, many.memberId],
    );
  });
  return { ...many, latestAt: new Date(Date.parse(began) + total * 1_000) };
}
