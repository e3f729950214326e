import type { PoolClient } from 'pg';

/**
 * The kinds of outbox entries. `bulk`: deliveries of webhooks, of which one import creates as many as it has rows.
 * `woken`: pokes of runs that one change has woken in a crowd. `interactive`: all other entries, whose results people
 * wait for.
 */
export type Kind = 'interactive' | 'woken' | 'bulk';

/** A due row of the outbox, with the later pokes of the same run that its delivery makes unnecessary. */
export interface DueEntry {
  id: number;
  /** 0: belongs to no workspace. */
  workspaceId: number;
  runType: string;
  subject: string;
  action: 'start' | 'poke';
  input: Record<string, unknown>;
  attempts: number;
  coalescedIds: number[];
}

/*
 * Conditions exactly as in the indexes of the outbox. PostgreSQL usually gathers its statistics while the outbox is
 * empty, and so assumes that it is. Conditions on other rows are therefore subqueries with a limit, which PostgreSQL
 * evaluates row by row through an index; it would turn an `exists` into a join with all waiting entries.
 */
export const waitingEntries: Record<Kind, string> = {
  interactive: `run_type <> 'deliverWebhook' and not woken and parked_at is null`,
  woken: `woken and parked_at is null`,
  bulk: `run_type = 'deliverWebhook' and parked_at is null`,
};
const workspace = 'coalesce(workspace_id, 0)';

/**
 * Returns the workspaces with due entries, in the order of their turns: those after workspace `after`, then from the
 * first up to `after` itself. Takes one index step per workspace, however many entries it has.
 */
export async function listWorkspacesDue(
  client: Connection,
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
 * Takes due rows of these workspaces beside those held, up to `each` per workspace, oldest first. Takes only the oldest
 * row of each run, and locks it until the transaction ends, so that several relays never work on the same run. A poke for
 * a person does not wait for one of a crowd: both do the same, and twice is harmless.
 */
export async function takeDueEntries(
  client: Connection,
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
             and later.id > due.id and later.woken = due.woken and later.action = 'poke' and later.parked_at is null
         ) else '{}' end as "coalescedIds"
       from outbox due
       where ${waitingEntries[kind]} and ${workspace} = turn.workspace and available_at <= now()
         and id <> all($3::bigint[])
         and (
           select true from outbox earlier
           where earlier.run_type = due.run_type and earlier.subject = due.subject
             and earlier.id < due.id and earlier.woken = due.woken and earlier.parked_at is null
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
    coalescedIds: row.coalescedIds.map(Number),
  }));
}

/** Whether pokes of a crowd are due. */
export async function isCrowdDue(client: Connection): Promise<boolean> {
  return (await listWorkspacesDue(client, 'woken', 0, 1)).length > 0;
}

/**
 * Whether entries of the same runs can be taken now: also those written after this transaction began, which `now()` would pass
 * over. They are skipped while an earlier one of the run is locked.
 */
export async function isMoreWaiting(
  client: Connection,
  entries: readonly Pick<DueEntry, 'runType' | 'subject'>[],
): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from unnest($1::text[], $2::uuid[]) as run (type, subject)
     where (
       select true from outbox
       where run_type = run.type and outbox.subject = run.subject and parked_at is null
         and available_at <= clock_timestamp()
       limit 1
     ) limit 1`,
    [entries.map(({ runType }) => runType), entries.map(({ subject }) => subject)],
  );
  return rows.length > 0;
}

export type Connection = Pick<PoolClient, 'query'>;

/** Why an entry was not delivered, and what to do with it. */
export interface Failure {
  code: string;
  delayMs: number;
  /** Whether it counts as an attempt towards parking. */
  counts: boolean;
  park: boolean;
}

export async function deleteEntries(client: PoolClient, ids: number[]): Promise<void> {
  if (ids.length > 0) await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Reschedules an entry, or parks it for good if `park` is set. */
export async function retryLater(client: PoolClient, entry: { id: number }, failure: Failure): Promise<void> {
  await client.query(
    `update outbox set available_at = now() + make_interval(secs => $2), last_error_code = $3,
       attempts = attempts + $4, parked_at = case when $5 then now() end
     where id = $1`,
    [entry.id, failure.delayMs / 1_000, failure.code, failure.counts ? 1 : 0, failure.park],
  );
}
