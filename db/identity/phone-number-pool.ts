import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, pageOf } from './columns.js';

/** Who put a number into the pool. */
export type PoolSource = 'superuser' | 'setting' | 'earlier_release';

export interface PoolNumberRow {
  id: number;
  /** E.164 */
  number: string;
  /** The workspace that it is assigned to; null: any workspace may take it. */
  workspaceId: number | null;
  workspaceUuid: string | null;
  /** `login_codes`: the service sends login codes from it, and no workspace can take it. */
  purpose: 'workspaces' | 'login_codes';
  source: PoolSource;
  usedByWorkspaceId: number | null;
  usedByWorkspaceUuid: string | null;
  createdAt: Date;
}

export type PoolNumberSort = 'number' | 'createdAt';

const table = 'identity.phone_number_pool';
const routes = 'identity.phone_number_routes';
const fields = {
  id: 'p.id',
  number: 'p.number',
  workspaceId: 'p.workspace_id',
  workspaceUuid: 'assigned.uuid',
  purpose: 'p.purpose',
  source: 'p.source',
  usedByWorkspaceId: 'r.workspace_id',
  usedByWorkspaceUuid: 'used_by.uuid',
  createdAt: 'p.created_at',
};

/** The pool of phone numbers, and the use of each. */
export class PhoneNumberPoolTable extends IdentityTable {
  /** Lists a page of all numbers; `search` matches parts of numbers, `workspaceUuid` those assigned to a workspace. */
  async list(
    filter: { search?: string; workspaceUuid?: string; inUse?: boolean },
    page: PageRequest<PoolNumberSort>,
  ): Promise<PageOf<PoolNumberRow>> {
    const found = this.#rows();
    if (filter.search !== undefined) found.where('p.number', 'like', containsPattern(filter.search));
    if (filter.workspaceUuid !== undefined) found.where('assigned.uuid', filter.workspaceUuid);
    if (filter.inUse === true) found.whereNotNull('r.number');
    if (filter.inUse === false) found.whereNull('r.number');
    return this.#page(found, page);
  }

  /** Lists a page of the numbers that a workspace can take now. */
  async listAvailable(
    workspaceId: number,
    page: PageRequest<PoolNumberSort>,
  ): Promise<PageOf<PoolNumberRow>> {
    const available = this.#rows()
      .where('p.purpose', 'workspaces')
      .whereNull('r.number')
      .where((either) => either.whereNull('p.workspace_id').orWhere('p.workspace_id', workspaceId));
    return this.#page(available, page);
  }

  async findById(id: number, tx?: AnyTx): Promise<PoolNumberRow | undefined> {
    return this.#rows(tx).where('p.id', id).first();
  }

  /** Finds a number and locks it until the transaction ends: no other transaction can assign, take or remove it. */
  async lockByNumber(number: string, tx: AnyTx): Promise<PoolNumberRow | undefined> {
    const locked = await tx(table).where({ number }).forUpdate().first('id');
    return locked === undefined ? undefined : this.findById(locked.id, tx);
  }

  async lockById(id: number, tx: AnyTx): Promise<PoolNumberRow | undefined> {
    const locked = await tx(table).where({ id }).forUpdate().first('id');
    return locked === undefined ? undefined : this.findById(id, tx);
  }

  /** Adds a number; undefined when it exists already. */
  async add(
    added: { number: string; workspaceId?: number | null; source: PoolSource; createdAt: Date },
    tx?: AnyTx,
  ): Promise<PoolNumberRow | undefined> {
    const [inserted]: { id: number }[] = await (tx ?? this.knex)(table)
      .insert({
        number: added.number,
        workspace_id: added.workspaceId ?? null,
        source: added.source,
        created_at: added.createdAt,
      })
      .onConflict('number')
      .ignore()
      .returning('id');
    return inserted === undefined ? undefined : this.findById(inserted.id, tx);
  }

  async sendsLoginCodes(number: string, tx: AnyTx): Promise<boolean> {
    const found = await tx(table).where({ number, purpose: 'login_codes' }).first('id');
    return found !== undefined;
  }

  async assign(id: number, workspaceId: number | null, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).update({ workspace_id: workspaceId });
  }

  /** @throws a foreign key violation while a workspace uses the number */
  async remove(id: number, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).delete();
  }

  /** Deletes numbers that left the setting, unless they are assigned to a workspace or in use. */
  async removeUnlisted(listed: readonly string[], tx: IdentityTx): Promise<void> {
    await tx(`${table} as p`)
      .where({ source: 'setting', purpose: 'workspaces' })
      .whereNull('p.workspace_id')
      .whereNotIn('p.number', [...listed])
      .whereNotExists((used) =>
        used.from(`${routes} as r`).whereRaw('r.number = p.number').select('r.number'),
      )
      .delete();
  }

  /** Reserves a number, which is locked and free, for login codes. */
  async reserveForLoginCodes(id: number, tx: AnyTx): Promise<void> {
    await tx(table).where({ id }).update({ purpose: 'login_codes' });
  }

  /** Deletes the login-code numbers of earlier settings from the pool, except the current one (`except`). */
  async releaseLoginCodeNumbers(except: string | undefined, tx: IdentityTx): Promise<void> {
    const released = tx(table).where({ purpose: 'login_codes' });
    if (except !== undefined) released.whereNot({ number: except });
    await released.delete();
  }

  #page(found: Knex.QueryBuilder, page: PageRequest<PoolNumberSort>): Promise<PageOf<PoolNumberRow>> {
    return pageOf(found, page, page.sortBy === 'number' ? 'p.number' : 'p.created_at', 'p.id');
  }

  #rows(tx?: AnyTx): Knex.QueryBuilder {
    return (tx ?? this.knex)(`${table} as p`)
      .leftJoin(`${routes} as r`, 'r.number', 'p.number')
      .leftJoin('identity.workspaces as assigned', 'assigned.id', 'p.workspace_id')
      .leftJoin('identity.workspaces as used_by', 'used_by.id', 'r.workspace_id')
      .select(fields);
  }
}
