import type { WorkflowHandle } from '@temporalio/client';
import { connect } from '../db/connect.js';
import { waitFor } from '../lib/wait-for.js';

/** A release with a fault: steps fail each time they are tried, and not for a reason that passes. */
export interface FaultyRelease {
  /** From now on each step that reads this table fails. */
  breakReading(table: string): Promise<void>;
  /** From now on each step that writes this table fails, and what reads it does not. */
  breakWriting(table: string): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

export async function prepareFaultyRelease(superuserUrl: string): Promise<FaultyRelease> {
  const superuser = await connect(superuserUrl);
  await superuser.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  );
  let undo: string[] = [];
  return {
    async breakReading(table) {
      await superuser.query(`revoke select on ${table} from wes_app`);
      undo.push(`grant select on ${table} to wes_app`);
    },
    async breakWriting(table) {
      await superuser.query(
        `create trigger broken before insert or update on ${table} execute function fail()`,
      );
      undo.push(`drop trigger broken on ${table}`);
    },
    async repair() {
      for (const statement of undo) await superuser.query(statement);
      undo = [];
    },
    close: () => superuser.end(),
  };
}

export async function stoodStill(run: WorkflowHandle, times = 1): Promise<void> {
  const timesNoted = async () =>
    ((await run.fetchHistory()).events ?? []).filter(
      ({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled?.activityType?.name === 'noteStandstill',
    ).length;
  await waitFor('the run stands still', async () => (await timesNoted()) >= times, 60_000);
}
