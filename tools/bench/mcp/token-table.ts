import { queryOnce } from '../../../test/support/db/connect.js';
import type { Stage } from '../stage/stage.js';

export const tokenTable = 'public.bench_tokens';

/** Creates the table of the floor. */
export async function createTokenTable({ superuserUrl }: Stage): Promise<void> {
  await queryOnce(
    superuserUrl,
    `create table ${tokenTable} (
       model text not null, id text not null, grant_id text, payload jsonb not null, consumed_at timestamptz,
       primary key (model, id));
     create index on ${tokenTable} (grant_id);
     grant select, insert, update, delete on ${tokenTable} to wes_app`,
  );
}
