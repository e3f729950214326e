import type { Knex } from 'knex';

/** A place in a walk through all workspaces: what of which workspace was looked at last. */
export interface WalkPlace {
  workspaceId: number;
  /** The list within the workspace. */
  list: string;
  /** The last row of the list that was looked at; absent at its beginning. */
  after?: unknown;
}

const table = 'identity.walks';

/** Where jobs that walk through all workspaces go on the next time. */
export class WalksTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Undefined: the walk begins anew. */
  async placeOf(name: string): Promise<WalkPlace | undefined> {
    const row = await this.#knex(table).where({ name }).first('place');
    return row?.place ?? undefined;
  }

  async savePlace(name: string, place: WalkPlace | undefined): Promise<void> {
    await this.#save(name, { place: place === undefined ? null : JSON.stringify(place) });
  }

  /** Until when something that happens elsewhere has been looked at. */
  async lookedUntil(name: string): Promise<Date | undefined> {
    const row = await this.#knex(table).where({ name }).first('looked_until');
    return row?.looked_until ?? undefined;
  }

  async saveLookedUntil(name: string, at: Date): Promise<void> {
    await this.#save(name, { looked_until: at });
  }

  async #save(name: string, changes: object): Promise<void> {
    await this.#knex(table)
      .insert({ name, ...changes })
      .onConflict('name')
      .merge(changes);
  }
}
