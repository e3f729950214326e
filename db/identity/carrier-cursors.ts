import type { Knex } from 'knex';

const table = 'identity.carrier_cursors';

/** How far the messages that came in at a carrier's account have been looked through. */
export class CarrierCursorsTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Everything that came in before was taken; undefined where nobody has looked yet. */
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
