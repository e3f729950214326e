import type { Knex } from 'knex';

const table = 'identity.carrier_cursors';

/** The time up to which the inbound messages of a carrier account have been looked through. */
export class CarrierCursorsTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Returns the time before which all messages were taken; undefined before the first look. */
  async find(account: string): Promise<Date | undefined> {
    const row: { taken_until: Date } | undefined = await this.#knex(table)
      .where({ account })
      .first('taken_until');
    return row?.taken_until;
  }

  async set(account: string, takenUntil: Date, now: Date): Promise<void> {
    await this.#knex(table)
      .insert({ account, taken_until: takenUntil, updated_at: now })
      .onConflict('account')
      .merge();
  }
}
