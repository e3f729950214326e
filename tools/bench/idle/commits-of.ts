import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../../test/support/db/connect.js';
import type { Stage } from '../stage/stage.js';

/** A session tells what it has done within this time. */
const toldWithinMs = 1_100;

/** Counts the transactions in the stage's database while `work` runs, from another database. */
export async function commitsOf({ superuserUrl }: Stage, work: () => Promise<unknown>): Promise<number> {
  const url = new URL(superuserUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = await connect(url.href);
  const read = async () => {
    await pause(toldWithinMs);
    const text = 'select xact_commit::int as commits from pg_stat_database where datname = $1';
    const { rows } = await client.query<{ commits: number }>(text, [name]);
    return rows[0]?.commits ?? 0;
  };
  try {
    const before = await read();
    await work();
    return (await read()) - before;
  } finally {
    await client.end();
  }
}
