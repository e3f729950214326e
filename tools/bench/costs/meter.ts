import { readdirSync, readFileSync } from 'node:fs';
import type { Client as TemporalClient } from '@temporalio/client';
import type pg from 'pg';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import { connect } from '../../../test/support/db/connect.js';
import { actionsOf, recordRuns } from '../../../test/workflows/histories.js';
import type { Stage } from '../stage/stage.js';
import { durationOf } from '../support/durations.js';
import { type Counts, countLog, difference, type LogRecords, readProcessTimes } from './counts.js';

/** Settings of a PostgreSQL whose statements and log can be counted, and which writes nothing by itself. */
export const countableSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=10000',
  'autovacuum=off',
  'checkpoint_timeout=1d',
  'max_wal_size=64GB',
];

const msPerTick = 10;

/** Counts what the servers and processes of a stage do. The statements of superusers, as of the bench itself, do not count. */
export class Meter {
  readonly #stage: Stage;
  readonly #client: pg.Client;
  readonly #temporal: TemporalClient;
  readonly #postmaster: number;

  private constructor(stage: Stage, client: pg.Client, temporal: TemporalClient, postmaster: number) {
    this.#stage = stage;
    this.#client = client;
    this.#temporal = temporal;
    this.#postmaster = postmaster;
  }

  static async open(stage: Stage): Promise<Meter> {
    const client = await connect(stage.superuserUrl);
    await client.query(
      'create extension if not exists pg_stat_statements; create extension if not exists pg_walinspect',
    );
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { parent } = timesOf(rows[0]?.pid ?? 0);
    const temporal = createTemporalClient({ ...stage.temporal, tls: false });
    stage.whenClosed(() => Promise.all([client.end(), temporal.connection.close()]));
    return new Meter(stage, client, temporal, parent);
  }

  async during(work: () => Promise<unknown>): Promise<{ counts: Counts; cpu: Counts; ms: number }> {
    const before = await this.#read();
    const from = await this.#mark();
    const cpuBefore = this.#cpu();
    const ms = await durationOf(work);
    const cpu = difference(this.#cpu(), cpuBefore);
    const to = await this.#mark();
    const counted = difference(await this.#read(), before);
    const { rows } = await this.#client.query<LogRecords>(
      `select "resource_manager/record_type" as kind, count::int as records, combined_size::int as bytes
       from pg_get_wal_stats($1, $2, true)`,
      [from, to],
    );
    return { counts: { ...countLog(rows), ...counted }, cpu, ms };
  }

  /** The end of the log, all of which is on the disk from then on and can be read. */
  async #mark(): Promise<string> {
    const { rows } = await this.#client.query<{ lsn: string }>(
      `select pg_logical_emit_message(false, 'bench', '', true) as lsn`,
    );
    return rows[0]?.lsn ?? '';
  }

  #cpu(): Counts {
    const programs = [...this.#stage.programs].map(([name, pid]) => [name, timesOf(pid).ownTicks] as const);
    const ticks = [...programs, ['PostgreSQL', ticksOfPostgres(this.#postmaster)] as const];
    return Object.fromEntries(ticks.map(([name, count]) => [`${name} ms`, count * msPerTick]));
  }

  async #read(): Promise<Counts> {
    const { rows } = await this.#client.query<{ statements: number; notifies: number }>(
      `select coalesce(sum(calls) filter (where not (query ~* '^(begin|commit|rollback)')), 0)::int as statements,
         coalesce(sum(case when query ~* '^notify' then calls when query ~* '^select pg_notify' then rows end), 0)::int
           as notifies
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and userid <> current_user::regrole`,
    );
    // What a schedule starts belongs to no operation.
    const runs = await recordRuns({ client: this.#temporal }, 'TemporalScheduledById is null');
    const actions = runs.reduce((sum, run) => sum + actionsOf(run).length, 0);
    return { ...rows[0], actions };
  }
}

const timesOf = (pid: number | string) => readProcessTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Of the server, and its sessions, those that have ended included. */
function ticksOfPostgres(postmaster: number): number {
  const { ownTicks, childTicks } = timesOf(postmaster);
  const sessions = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [timesOf(pid)];
      } catch {
        // It has ended.
        return [];
      }
    })
    .filter(({ parent }) => parent === postmaster);
  return sessions.reduce((sum, session) => sum + session.ownTicks, ownTicks + childTicks);
}
