import { IdentityTable } from './columns.js';

/** A position in a walk through all workspaces: the last row that was looked at. */
export interface WalkPlace {
  workspaceId: number;
  list: string;
  /** The last row of the list that was looked at; absent at the beginning of the list. */
  after?: unknown;
}

/** The time that has been looked through without a gap of a source outside the database. */
export interface Looked {
  from: Date;
  until: Date;
}

const table = 'identity.walks';

export class WalksTable extends IdentityTable {
  /** Undefined: the walk starts from the beginning. */
  async placeOf(name: string): Promise<WalkPlace | undefined> {
    const row = await this.knex(table).where({ name }).first('place');
    return row?.place ?? undefined;
  }

  async savePlace(name: string, place: WalkPlace | undefined): Promise<void> {
    await this.#save(name, { place: place === undefined ? null : JSON.stringify(place) });
  }

  /** The time up to which a source outside the database, such as the closed runs, has been looked through. */
  async lookedUntil(name: string): Promise<Date | undefined> {
    const row = await this.knex(table).where({ name }).first('looked_until');
    return row?.looked_until ?? undefined;
  }

  async saveLookedUntil(name: string, at: Date): Promise<void> {
    await this.#save(name, { looked_until: at });
  }

  async looked(name: string): Promise<Looked | undefined> {
    const row = await this.knex(table).where({ name }).first('looked_from', 'looked_until');
    return row?.looked_from ? { from: row.looked_from, until: row.looked_until } : undefined;
  }

  /** Adds to what has been looked through; after a gap, it begins anew. */
  async saveLooked(name: string, { from, until }: Looked): Promise<void> {
    await this.knex.raw(
      `insert into ${table} as walk (name, looked_from, looked_until) values (?, ?::timestamptz, ?::timestamptz)
       on conflict (name) do update set
         looked_from = case when walk.looked_until >= excluded.looked_from
           then least(walk.looked_from, excluded.looked_from) else excluded.looked_from end,
         looked_until = greatest(walk.looked_until, excluded.looked_until)`,
      [name, from, until],
    );
  }

  /** In which workspaces each of these lists has rows, by id: one statement, whatever their number. */
  async workspacesWith(lists: readonly string[]): Promise<Map<number, Set<string>>> {
    const { rows } = await this.knex.raw(
      "select workspace_id, list from public.workspaces_with(string_to_array(?, ',')) order by workspace_id",
      [lists.join()],
    );
    return byWorkspace(rows);
  }

  /** In which workspaces each of these lists has something due at its time: one statement. */
  async workspacesDue(lists: Readonly<Record<string, Date>>): Promise<Map<number, Set<string>>> {
    const times = Object.values(lists).map((time) => time.toISOString());
    const { rows } = await this.knex.raw(
      `select workspace_id, list from public.workspaces_due(string_to_array(?, ','),
         string_to_array(?, ',')::timestamptz[]) order by workspace_id`,
      [Object.keys(lists).join(), times.join()],
    );
    return byWorkspace(rows);
  }

  async #save(name: string, changes: object): Promise<void> {
    await this.knex(table)
      .insert({ name, ...changes })
      .onConflict('name')
      .merge(changes);
  }
}

function byWorkspace(rows: readonly { workspace_id: string; list: string }[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const { workspace_id, list } of rows) {
    const id = Number(workspace_id);
    found.set(id, (found.get(id) ?? new Set()).add(list));
  }
  return found;
}

const cursors = 'identity.carrier_cursors';

/** The time up to which the inbound messages of a carrier account have been looked through. */
export class CarrierCursorsTable extends IdentityTable {
  /** Returns the time before which all messages were taken; undefined before the first look. */
  async find(account: string): Promise<Date | undefined> {
    const row: { taken_until: Date } | undefined = await this.knex(cursors)
      .where({ account })
      .first('taken_until');
    return row?.taken_until;
  }

  async set(account: string, takenUntil: Date, now: Date): Promise<void> {
    await this.knex(cursors)
      .insert({ account, taken_until: takenUntil, updated_at: now })
      .onConflict('account')
      .merge();
  }
}
