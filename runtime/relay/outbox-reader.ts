import type { PoolClient } from 'pg';

/** A row of the outbox that is due, and the later pokes of the same run that delivering it makes needless. */
export interface DueEntry {
  id: number;
  runType: string;
  subject: string;
  action: 'start' | 'poke';
  input: Record<string, unknown>;
  attempts: number;
  coveredIds: number[];
}

/**
 * Takes due rows, oldest first: at most one for each run, its oldest; locked until the transaction ends, so that
 * several relays never work on the same run.
 */
export async function takeDueEntries(client: PoolClient, limit: number): Promise<DueEntry[]> {
  const { rows } = await client.query(
    `select id, run_type as "runType", subject, action, input, attempts,
       case when action = 'poke' then array(
         select later.id from outbox later
         where later.run_type = due.run_type and later.subject = due.subject
           and later.id > due.id and later.action = 'poke' and later.parked_at is null
       ) else '{}' end as "coveredIds"
     from outbox due
     where parked_at is null and available_at <= now()
       and not exists (
         select 1 from outbox earlier
         where earlier.run_type = due.run_type and earlier.subject = due.subject
           and earlier.id < due.id and earlier.parked_at is null
       )
     order by id limit $1
     for update skip locked`,
    [limit],
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    coveredIds: row.coveredIds.map(Number),
  }));
}

export async function deleteEntries(client: PoolClient, ids: number[]): Promise<void> {
  if (ids.length > 0) await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Puts an entry off, or parks it for good when `park` is set. */
export async function putOff(
  client: PoolClient,
  entry: { id: number },
  failure: { code: string; delayMs: number; counts: boolean; park: boolean },
): Promise<void> {
  await client.query(
    `update outbox set available_at = now() + make_interval(secs => $2), last_error_code = $3,
       attempts = attempts + $4, parked_at = case when $5 then now() end
     where id = $1`,
    [entry.id, failure.delayMs / 1_000, failure.code, failure.counts ? 1 : 0, failure.park],
  );
}

export async function countEntries(
  client: Pick<PoolClient, 'query'>,
): Promise<{ waiting: number; parked: number }> {
  const { rows } = await client.query(
    `select count(*) filter (where parked_at is null)::int as waiting,
            count(*) filter (where parked_at is not null)::int as parked from outbox`,
  );
  return rows[0];
}
