import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { connect } from './connect.js';

/** A row of the outbox as a test wants it: due, to start a run of its own, unless told. */
export interface OutboxRowWanted {
  /** null: of no workspace. */
  workspaceId: number | null;
  runType?: string;
  subject?: string;
  action?: 'start' | 'poke';
  /** Seconds from now; negative: due for so long. */
  availableIn?: number;
  parked?: boolean;
  woken?: boolean;
}

/** An outbox that tests fill as they like: role postgres, past all policies. */
export class OutboxRows {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(superuserUrl: string): Promise<OutboxRows> {
    return new OutboxRows(await connect(superuserUrl));
  }

  /** @returns the rows' ids, in their order */
  async write(rows: readonly OutboxRowWanted[]): Promise<number[]> {
    const wanted = rows.map((row) => ({
      workspace_id: row.workspaceId,
      run_type: row.runType ?? 'answerChat',
      subject: row.subject ?? randomUUID(),
      action: row.action ?? 'start',
      available_in: row.availableIn ?? 0,
      parked: row.parked ?? false,
      woken: row.woken ?? false,
    }));
    const { rows: written } = await this.#client.query(
      `insert into outbox (workspace_id, run_type, subject, action, input, woken, available_at, parked_at)
       select workspace_id, run_type, subject, action, '{}', woken, now() + make_interval(secs => available_in),
         case when parked then now() end
       from jsonb_to_recordset($1::jsonb)
         as wanted (workspace_id bigint, run_type text, subject uuid, action text, available_in float8, parked boolean, woken boolean)
       returning id`,
      [JSON.stringify(wanted)],
    );
    return written.map(({ id }) => Number(id)).sort((one, other) => one - other);
  }

  async createWorkspaces(count: number): Promise<number[]> {
    const { rows } = await this.#client.query(
      `insert into identity.workspaces (name, slug, default_region, timezone)
       select 'Workspace', 'workspace-' || gen_random_uuid(), 'US', 'UTC' from generate_series(1, $1)
       returning id`,
      [count],
    );
    return rows.map(({ id }) => Number(id));
  }

  async left(): Promise<number[]> {
    const { rows } = await this.#client.query('select id from outbox order by id');
    return rows.map(({ id }) => Number(id));
  }

  async clear(): Promise<void> {
    await this.#client.query('delete from outbox');
  }

  /** Has PostgreSQL take the outbox for what it is now, until it is told otherwise. */
  async analyze(): Promise<void> {
    await this.#client.query('vacuum analyze outbox');
  }

  async makeAllDue(): Promise<void> {
    await this.#client.query(`update outbox set available_at = now() - interval '1 second'`);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
