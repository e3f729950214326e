import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { allOf, ifGiven } from '../lib/conditions.js';
import { containsPattern } from '../lib/contains-pattern.js';
import type { RowOf } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import { PoolNumberModel, type PoolSource } from './models/phone-number-route.js';

export type PoolNumberRow = RowOf<PoolNumberModel> & {
  workspaceUuid: string | null;
  usedByWorkspaceId: number | null;
  usedByWorkspaceUuid: string | null;
};

export type PoolNumberSort = 'number' | 'createdAt';

const select = `${PoolNumberModel.columns}, assigned.uuid as "workspaceUuid",
  r.workspace_id as "usedByWorkspaceId", used_by.uuid as "usedByWorkspaceUuid"`;
const numbers = `identity.phone_number_pool
  left join identity.phone_number_routes r on r.number = phone_number_pool.number
  left join identity.workspaces assigned on assigned.id = phone_number_pool.workspace_id
  left join identity.workspaces used_by on used_by.id = r.workspace_id`;

/** The pool of phone numbers, and the use of each. */
export class PhoneNumberPoolTable extends IdentityTable {
  /** Lists a page of all numbers; `search` matches parts of numbers, `workspaceUuid` those assigned to a workspace. */
  async list(
    { search, workspaceUuid, inUse }: { search?: string; workspaceUuid?: string; inUse?: boolean },
    page: PageRequest<PoolNumberSort>,
  ): Promise<PageOf<PoolNumberRow>> {
    const { text, bindings } = allOf([
      ifGiven('phone_number_pool.number like ?', search === undefined ? undefined : containsPattern(search)),
      ifGiven('assigned.uuid = ?', workspaceUuid),
      inUse === undefined ? undefined : [`r.number is ${inUse ? 'not null' : 'null'}`],
    ]);
    return this.#page(text, bindings, page);
  }

  /** Lists a page of the numbers that a workspace can take now. */
  async listAvailable(
    workspaceId: number,
    page: PageRequest<PoolNumberSort>,
  ): Promise<PageOf<PoolNumberRow>> {
    const available = `phone_number_pool.purpose = 'workspaces' and r.number is null
      and (phone_number_pool.workspace_id is null or phone_number_pool.workspace_id = ?)`;
    return this.#page(available, [workspaceId], page);
  }

  async findById(id: number, tx?: AnyTx): Promise<PoolNumberRow | undefined> {
    const text = `select ${select} from ${numbers} where phone_number_pool.id = ?`;
    return (await prepared<PoolNumberRow>(tx ?? this.knex, text, [id]))[0];
  }

  /** Finds a number and locks it until the transaction ends: no other transaction can assign, take or remove it. */
  async lockByNumber(number: string, tx: AnyTx): Promise<PoolNumberRow | undefined> {
    const locked = await PoolNumberModel.first(tx, 'number = ? for update', [number]);
    return locked && this.findById(locked.id, tx);
  }

  async lockById(id: number, tx: AnyTx): Promise<PoolNumberRow | undefined> {
    const locked = await PoolNumberModel.first(tx, 'id = ? for update', [id]);
    return locked && this.findById(id, tx);
  }

  /** Adds a number; undefined when it exists already. */
  async add(
    added: { number: string; workspaceId?: number | null; source: PoolSource; createdAt: Date },
    tx?: AnyTx,
  ): Promise<PoolNumberRow | undefined> {
    const inserted = await PoolNumberModel.insertOnce(tx ?? this.knex, added, ['number']);
    return inserted && this.findById(inserted.id, tx);
  }

  async sendsLoginCodes(number: string, tx: AnyTx): Promise<boolean> {
    return PoolNumberModel.exists(tx, `number = ? and purpose = 'login_codes'`, [number]);
  }

  async assign(id: number, workspaceId: number | null, tx: AnyTx): Promise<void> {
    await PoolNumberModel.updateWhere(tx, { workspaceId }, 'id = ?', [id]);
  }

  /** @throws a foreign key violation while a workspace uses the number */
  async remove(id: number, tx: AnyTx): Promise<void> {
    await PoolNumberModel.deleteWhere(tx, 'id = ?', [id]);
  }

  /** Deletes numbers that left the setting, unless they are assigned to a workspace or in use. */
  async removeUnlisted(listed: readonly string[], tx: IdentityTx): Promise<void> {
    await PoolNumberModel.deleteWhere(
      tx,
      `source = 'setting' and purpose = 'workspaces' and workspace_id is null and number <> all(?) and not exists (
         select from identity.phone_number_routes r where r.number = phone_number_pool.number)`,
      [listed],
    );
  }

  /** Reserves a number, which is locked and free, for login codes. */
  async reserveForLoginCodes(id: number, tx: AnyTx): Promise<void> {
    await PoolNumberModel.updateWhere(tx, { purpose: 'login_codes' }, 'id = ?', [id]);
  }

  /** Deletes the login-code numbers of earlier settings from the pool, except the current one (`except`). */
  async releaseLoginCodeNumbers(except: string | undefined, tx: IdentityTx): Promise<void> {
    const released = `purpose = 'login_codes' and number is distinct from ?`;
    await PoolNumberModel.deleteWhere(tx, released, [except ?? null]);
  }

  #page(
    condition: string,
    bindings: readonly unknown[],
    page: PageRequest<PoolNumberSort>,
  ): Promise<PageOf<PoolNumberRow>> {
    const found = { select, from: `${numbers} where ${condition}`, bindings };
    const sortColumn = page.sortBy === 'number' ? 'phone_number_pool.number' : 'phone_number_pool.created_at';
    return pageOf(this.knex, found, page, sortColumn, 'phone_number_pool.id');
  }
}
