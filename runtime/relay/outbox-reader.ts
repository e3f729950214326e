import type { PoolClient } from 'pg';

/**
 * What stands in the outbox. `awaited`: somebody waits for it, a person or an answer. `webhooks`: events on their way to
 * receivers, of which one import makes as many as it has rows.
 */
export type Kind = 'awaited' | 'webhooks';

/** A row of the outbox that is due, and the later pokes of the same run that delivering it makes needless. */
export interface DueEntry {
  id: number;
  /** 0: of no workspace. */
  workspaceId: number;
  runType: string;
  subject: string;
  action: 'start' | 'poke';
  input: Record<string, unknown>;
  attempts: number;
  coveredIds: number[];
}

/*
 * Written as the indexes of migration 0025 have it. PostgreSQL gathers its statistics when the outbox is empty, mostly, and
 * so takes it for empty: conditions on other rows are subqueries with a limit, which it looks up one by one, because
 * of an `exists` it would make a join with everything that waits.
 */
export const waitingEntries: Record<Kind, string> = {
  awaited: `run_type <> 'deliverWebhook' and parked_at is null`,
  webhooks: `run_type = 'deliverWebhook' and parked_at is null`,
};
const workspace = 'coalesce(workspace_id, 0)';

/**
 * The workspaces that have something due, in the order of their turns: those after workspace `after`, then from the first
 * again up to `after` itself. One step in the index for each workspace, however much it has.
 */
export async function listWorkspacesDue(
  client: Pick<PoolClient, 'query'>,
  kind: Kind,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await client.query(
    `with recursive ring (workspace, up_to, is_start) as (
       select $1::bigint, 9223372036854775807, true
       union all
       select next.workspace, next.up_to, false from ring cross join lateral (
         (select ${workspace} as workspace, ring.up_to as up_to from outbox
          where ${waitingEntries[kind]} and ${workspace} > ring.workspace and ${workspace} <= ring.up_to
          order by ${workspace} limit 1)
         union all
         (select ${workspace}, $1::bigint from outbox
          where ${waitingEntries[kind]} and ${workspace} <= $1::bigint and ring.up_to > $1::bigint
          order by ${workspace} limit 1)
         limit 1
       ) next
     )
     select workspace from ring
     where not is_start and (
       select true from outbox
       where ${waitingEntries[kind]} and ${workspace} = ring.workspace and available_at <= now() limit 1
     )
     limit $2`,
    [after, limit],
  );
  return rows.map((row) => Number(row.workspace));
}

/**
 * Takes due rows of these workspaces, up to `each` of every one, oldest first: at most one for each run, its oldest;
 * locked until the transaction ends, so that several relays never work on the same run.
 *
 * @param heldIds what this transaction has taken already
 */
export async function takeDueEntries(
  client: Pick<PoolClient, 'query'>,
  kind: Kind,
  { workspaces, each, heldIds }: { workspaces: number[]; each: number; heldIds: number[] },
): Promise<DueEntry[]> {
  const { rows } = await client.query(
    `select turn.workspace as "workspaceId", taken.*
     from unnest($1::bigint[]) as turn (workspace) cross join lateral (
       select id, run_type as "runType", subject, action, input, attempts,
         case when action = 'poke' then array(
           select later.id from outbox later
           where later.run_type = due.run_type and later.subject = due.subject
             and later.id > due.id and later.action = 'poke' and later.parked_at is null
         ) else '{}' end as "coveredIds"
       from outbox due
       where ${waitingEntries[kind]} and ${workspace} = turn.workspace and available_at <= now()
         and id <> all($3::bigint[])
         and (
           select true from outbox earlier
           where earlier.run_type = due.run_type and earlier.subject = due.subject
             and earlier.id < due.id and earlier.parked_at is null
           limit 1
         ) is null
       order by ${workspace}, available_at, id limit $2
       for update skip locked
     ) taken`,
    [workspaces, each, heldIds],
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    workspaceId: Number(row.workspaceId),
    coveredIds: row.coveredIds.map(Number),
  }));
}

/**
 * Whether something of the runs that these entries were for has come meanwhile, and can be taken now: while an entry of a
 * run is taken, the later ones are passed over.
 */
export async function isMoreWaiting(
  client: Pick<PoolClient, 'query'>,
  entries: readonly Pick<DueEntry, 'runType' | 'subject'>[],
): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from unnest($1::text[], $2::uuid[]) as run (type, subject)
     where (
       select true from outbox
       where run_type = run.type and outbox.subject = run.subject and parked_at is null and available_at <= now()
       limit 1
     ) limit 1`,
    [entries.map(({ runType }) => runType), entries.map(({ subject }) => subject)],
  );
  return rows.length > 0;
}
