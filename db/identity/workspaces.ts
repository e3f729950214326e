import type { Knex } from 'knex';
import type { IdentityTx, Tx } from '../database.js';
import { prepared } from '../statement.js';
import { aliases, columns } from './columns.js';

export interface WorkspaceRow {
  id: number;
  uuid: string;
  name: string;
  slug: string;
  defaultRegion: string;
  locale: string;
  timezone: string;
  /** Origins of web pages that may read the API's responses for this workspace (CORS). */
  allowedOrigins: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface NewWorkspace {
  name: string;
  slug: string;
  defaultRegion?: string | undefined;
  locale?: string | undefined;
  timezone?: string | undefined;
  allowedOrigins?: readonly string[] | undefined;
  createdByAccountId?: number | undefined;
  createdAt?: Date | undefined;
  updatedAt?: Date | undefined;
}

export type WorkspaceChanges = Partial<Omit<NewWorkspace, 'createdAt' | 'createdByAccountId'>>;

const fields = [
  'id',
  'uuid',
  'name',
  'slug',
  'defaultRegion',
  'locale',
  'timezone',
  'allowedOrigins',
  'createdAt',
  'updatedAt',
] as const;
const table = 'identity.workspaces';

/** Runs `work` in one transaction. */
export type Transact = <T>(work: (tx: IdentityTx) => Promise<T>) => Promise<T>;

/** Workspaces: teams or projects, the tenants of the service. */
export class WorkspacesTable {
  readonly #knex: Knex;
  readonly #transact: Transact;

  constructor(knex: Knex, transact: Transact) {
    this.#knex = knex;
    this.#transact = transact;
  }

  /**
   * Creates a workspace. `setUp` fills it in the same transaction, with the new workspace as its tenant. Undefined when
   * the slug is taken.
   */
  async create(
    workspace: NewWorkspace,
    setUp: (tx: Tx, created: WorkspaceRow) => Promise<void> = async () => {},
  ): Promise<WorkspaceRow | undefined> {
    return this.#transact(async (tx) => {
      const inserted: { id: number }[] = await tx(table)
        .insert(columns(workspace))
        .onConflict('slug')
        .ignore()
        .returning('id');
      if (inserted[0] === undefined) return undefined;
      const workspaceId = inserted[0].id;
      const created: WorkspaceRow = await tx(table)
        .select(aliases(fields))
        .where({ id: workspaceId })
        .first();
      await tx.raw(`select set_config('app.workspace_id', ?, true)`, [String(workspaceId)]);
      await setUp(Object.assign(tx, { workspaceId }) as Tx, created);
      return created;
    });
  }

  /** Counts the workspaces that the account has created. */
  async countCreatedBy(accountId: number, tx: Tx): Promise<number> {
    const counted: { count: number }[] = await tx(table)
      .where({ created_by_account_id: accountId })
      .count({ count: '*' });
    return counted[0]?.count ?? 0;
  }

  async findById(id: number, tx?: Tx): Promise<WorkspaceRow | undefined> {
    return (tx ?? this.#knex)(table).select(aliases(fields)).where({ id }).first();
  }

  /** Returns the region of phone numbers without a country code. Executed with every record that is written. */
  async findDefaultRegion(id: number, tx: Tx): Promise<string | undefined> {
    const text = `select default_region as "defaultRegion" from ${table} where id = ?`;
    return (await prepared<{ defaultRegion: string }>(tx, text, [id]))[0]?.defaultRegion;
  }

  async findByUuid(uuid: string): Promise<WorkspaceRow | undefined> {
    return this.#knex(table).select(aliases(fields)).where({ uuid }).first();
  }

  /**
   * Returns the origins of web pages that may read the API's responses for this workspace; empty where there is no such
   * workspace.
   */
  async findAllowedOrigins(uuid: string): Promise<string[]> {
    const text = `select allowed_origins as "allowedOrigins" from ${table} where uuid = ?`;
    const [found] = await prepared<{ allowedOrigins: string[] }>(this.#knex, text, [uuid]);
    return found?.allowedOrigins ?? [];
  }

  /** Returns the ids of all workspaces, ascending, for jobs over all tenants. */
  async listIds(): Promise<number[]> {
    return this.#knex(table).orderBy('id').pluck('id');
  }

  /** Lists the workspaces that an account is a member of; only one of them, where that is given. */
  async listForAccount(
    accountId: number,
    page: { sortBy: 'name' | 'createdAt'; sortOrder: 'asc' | 'desc'; limit: number; offset: number },
    onlyWorkspaceId: number | null,
  ): Promise<{ items: WorkspaceRow[]; total: number }> {
    const mine = this.#knex(`${table} as w`)
      .join('identity.memberships as m', 'm.workspace_id', 'w.id')
      .where('m.account_id', accountId);
    if (onlyWorkspaceId !== null) mine.where('w.id', onlyWorkspaceId);
    const items: WorkspaceRow[] = await mine
      .clone()
      .select(aliases(fields, 'w'))
      .orderBy(page.sortBy === 'name' ? 'w.name' : 'w.created_at', page.sortOrder)
      .orderBy('w.id', page.sortOrder)
      .limit(page.limit)
      .offset(page.offset);
    const counted: { count: number }[] = await mine.clone().count({ count: '*' });
    return { items, total: counted[0]?.count ?? 0 };
  }

  /**
   * Updates a workspace and returns the row; undefined when there is none. @throws a unique violation when the slug is
   * taken
   */
  async update(id: number, changes: WorkspaceChanges, tx?: Tx): Promise<WorkspaceRow | undefined> {
    const knex = tx ?? this.#knex;
    await knex(table).where({ id }).update(columns(changes));
    return knex(table).select(aliases(fields)).where({ id }).first();
  }
}
