import type pg from 'pg';
import { connect } from '../db/connect.js';
import type { TestDatabase } from '../db/database.js';

const tables = [
  'members',
  'member_label_links',
  'data_records',
  'data_record_changes',
  'data_record_values',
  'chats',
  'chat_participants',
  'messages',
  'assignments',
  'events',
  'webhook_deliveries',
  'outbox',
] as const;

/** A database in which transactions that write events can be made to fail at their very end, as they commit. */
export class FailingCommits {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async prepare({ superuserUrl }: TestDatabase): Promise<FailingCommits> {
    const client = await connect(superuserUrl);
    await client.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise 'not today'; end $$;
      create constraint trigger fails after insert on events deferrable initially deferred
        for each row execute function fail();
      alter table events disable trigger fails;`);
    return new FailingCommits(client);
  }

  /** Does something while they fail, which it may notice. @returns what is stored of the things that people see then */
  async during(work: () => Promise<unknown>): Promise<string> {
    await this.#client.query('alter table events enable trigger fails');
    try {
      await work().catch(() => {});
    } finally {
      await this.#client.query('alter table events disable trigger fails');
    }
    return this.stored();
  }

  async stored(): Promise<string> {
    const digests = tables.map(
      (table) => `(select md5(string_agg(t::text, ' ' order by t::text)) from ${table} t)`,
    );
    const { rows } = await this.#client.query(`select concat_ws(' ', ${digests.join(', ')}) as stored`);
    return rows[0].stored;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
