import pg from 'pg';
import type { TestWorkspace } from '../workspace/factories.js';

/**
 * So many deliveries of a rule, one a second, filled in as fast as PostgreSQL can. One in a hundred failed and one in a
 * thousand is a redelivery; the twenty oldest are tests, the newest ten of another type and the newest five pending.
 * Nothing is analysed: a table that was just filled has no statistics.
 */
export async function makeManyDeliveries(
  superuserUrl: string,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  eventRuleId: number,
  { total, from }: { total: number; from: Date },
): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    // Keys of other tables are not looked up for each row, and statistics come when they are asked for.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      alter table webhook_deliveries set (autovacuum_enabled = off);
      alter table events set (autovacuum_enabled = off)`);
    await client.query(
      `with made as (
         insert into events (workspace_id, event_type, body, created_at)
         select $1, case when i > $3 - 10 then 'member:updated' else 'chat:created' end, '{}',
           $4::timestamptz + i * interval '1 second'
         from generate_series(1, $3::bigint) i
         returning id, event_type, created_at
       ),
       numbered as (select *, row_number() over (order by id) as i from made)
       insert into webhook_deliveries (workspace_id, event_rule_id, event_id, event_type, trigger, status, created_at,
         completed_at)
       select $1, $2, id, event_type,
         case when i <= 20 then 'test' when i % 1000 = 0 then 'redelivery' else 'event' end,
         case when i > $3 - 5 then 'pending' when i % 100 = 0 then 'failed' else 'delivered' end,
         created_at, case when i <= $3 - 5 then created_at + interval '1 second' end
       from numbered`,
      [workspaceId, eventRuleId, total, from],
    );
  } finally {
    await client.end();
  }
}
