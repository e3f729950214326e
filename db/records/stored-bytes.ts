import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** The journal is summed up when it has more entries. */
const manyEntries = 1_000;

/** The bytes of records and history that the workspace stores. Sums up the journal once it is long. */
export async function readStoredBytes(tx: Tx): Promise<number> {
  const [found] = await prepared<{ entries: number; bytes: number }>(
    tx,
    'select count(*) as entries, coalesce(sum(bytes), 0)::bigint as bytes from stored_bytes',
    [],
  );
  if ((found?.entries ?? 0) > manyEntries) {
    await prepared(
      tx,
      `with summed as (
         delete from stored_bytes
         where id in (select id from stored_bytes order by id limit 10000 for update skip locked)
         returning bytes
       )
       insert into stored_bytes (workspace_id, bytes)
       select ?, sum(bytes) from summed having count(*) > 0`,
      [tx.workspaceId],
    );
  }
  return found?.bytes ?? 0;
}
