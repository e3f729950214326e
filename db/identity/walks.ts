import { changedBy, prepared } from '../statement.js';
import { IdentityTable } from './identity-table.js';
import { CarrierCursorModel, WalkModel, type WalkPlace } from './models/walk.js';

/** The time that has been looked through without a gap of a source outside the database. */
export interface Looked {
  from: Date;
  until: Date;
}

export class WalksTable extends IdentityTable {
  /** Undefined: the walk starts from the beginning. */
  async placeOf(name: string): Promise<WalkPlace | undefined> {
    return (await this.#find(name))?.place ?? undefined;
  }

  async savePlace(name: string, place: WalkPlace | undefined): Promise<void> {
    await WalkModel.upsert(this.knex, { name, place: place ?? null }, ['name']);
  }

  /** The time up to which a source outside the database, such as the closed runs, has been looked through. */
  async lookedUntil(name: string): Promise<Date | undefined> {
    return (await this.#find(name))?.lookedUntil ?? undefined;
  }

  async saveLookedUntil(name: string, at: Date): Promise<void> {
    await WalkModel.upsert(this.knex, { name, lookedUntil: at }, ['name']);
  }

  async looked(name: string): Promise<Looked | undefined> {
    const { lookedFrom: from, lookedUntil: until } = (await this.#find(name)) ?? {};
    return from && until ? { from, until } : undefined;
  }

  /** Adds to what has been looked through; after a gap, it begins anew. */
  async saveLooked(name: string, { from, until }: Looked): Promise<void> {
    await changedBy(
      this.knex,
      `insert into identity.walks as walk (name, looked_from, looked_until) values (?, ?, ?)
       on conflict (name) do update set
         looked_from = case when walk.looked_until >= excluded.looked_from
           then least(walk.looked_from, excluded.looked_from) else excluded.looked_from end,
         looked_until = greatest(walk.looked_until, excluded.looked_until)`,
      [name, from, until],
    );
  }

  /** In which workspaces each of these lists has rows, by id: one statement, whatever their number. */
  async workspacesWith(lists: readonly string[]): Promise<Map<number, Set<string>>> {
    return this.#byWorkspace('public.workspaces_with(?::text[])', [lists]);
  }

  /** In which workspaces each of these lists has something due at its time: one statement. */
  async workspacesDue(lists: Readonly<Record<string, Date>>): Promise<Map<number, Set<string>>> {
    const listed = [Object.keys(lists), Object.values(lists)];
    return this.#byWorkspace('public.workspaces_due(?::text[], ?::timestamptz[])', listed);
  }

  async #find(name: string) {
    return WalkModel.first(this.knex, 'name = ?', [name]);
  }

  async #byWorkspace(source: string, bindings: readonly unknown[]): Promise<Map<number, Set<string>>> {
    const text = `select workspace_id as id, list from ${source} order by workspace_id`;
    const rows = await prepared<{ id: number; list: string }>(this.knex, text, bindings);
    const found = new Map<number, Set<string>>();
    for (const { id, list } of rows) found.set(id, (found.get(id) ?? new Set()).add(list));
    return found;
  }
}

/** The time up to which the inbound messages of a carrier account have been looked through. */
export class CarrierCursorsTable extends IdentityTable {
  /** Returns the time before which all messages were taken; undefined before the first look. */
  async find(account: string): Promise<Date | undefined> {
    return (await CarrierCursorModel.first(this.knex, 'account = ?', [account]))?.takenUntil;
  }

  async set(account: string, takenUntil: Date, now: Date): Promise<void> {
    await CarrierCursorModel.upsert(this.knex, { account, takenUntil, updatedAt: now }, ['account']);
  }
}
