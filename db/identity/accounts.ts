import type { Knex } from 'knex';
import type { AnyTx, Tx } from '../database.js';
import { aliases, columns } from './columns.js';

export interface AccountRow {
  id: number;
  uuid: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  emailVerifiedAt: Date | null;
  phoneVerifiedAt: Date | null;
  avatarUrl: string | null;
  isSuperuser: boolean;
  enabled: boolean;
  signupWorkspaceId: number | null;
  tosAccepted: boolean;
  optedOut: boolean;
  paymentCustomerId: string | null;
  locale: string;
  timezone: string;
  createdAt: Date;
  updatedAt: Date;
}

export type AccountChanges = Partial<{
  [Field in keyof Omit<AccountRow, 'id' | 'uuid' | 'createdAt'>]: AccountRow[Field] | undefined;
}>;

export type NewAccount = AccountChanges & { createdAt?: Date | undefined };

export const accountFields = [
  'id',
  'uuid',
  'name',
  'email',
  'phone',
  'emailVerifiedAt',
  'phoneVerifiedAt',
  'avatarUrl',
  'isSuperuser',
  'enabled',
  'signupWorkspaceId',
  'tosAccepted',
  'optedOut',
  'paymentCustomerId',
  'locale',
  'timezone',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof AccountRow)[];
const table = 'identity.accounts';

/** Accounts: people, over all workspaces. */
export class AccountsTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** @throws a unique violation when the email or the phone belongs to another account */
  async create(account: NewAccount, tx?: Tx): Promise<AccountRow> {
    const knex = tx ?? this.#knex;
    const inserted: { id: number }[] = await knex(table).insert(columns(account)).returning('id');
    return knex(table).select(aliases(accountFields)).where({ id: inserted[0]?.id }).first();
  }

  async findById(id: number, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.#knex)(table).select(aliases(accountFields)).where({ id }).first();
  }

  /** The account behind an address. Emails are kept in lower case, phones in E.164. */
  async findByEmail(email: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.#knex)(table).select(aliases(accountFields)).where({ email }).first();
  }

  async findByPhone(phone: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.#knex)(table).select(aliases(accountFields)).where({ phone }).first();
  }

  /** Like `findById`, and nobody else changes it until the transaction ends. */
  async lock(id: number, tx: AnyTx): Promise<AccountRow | undefined> {
    return tx(table).select(aliases(accountFields)).where({ id }).forNoKeyUpdate().first();
  }

  async lockByUuid(uuid: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return tx(table).select(aliases(accountFields)).where({ uuid }).forNoKeyUpdate().first();
  }

  /** The changed row; undefined when there is none. */
  async update(id: number, changes: AccountChanges, tx?: AnyTx): Promise<AccountRow | undefined> {
    const knex = tx ?? this.#knex;
    await knex(table).where({ id }).update(columns(changes));
    return knex(table).select(aliases(accountFields)).where({ id }).first();
  }
}
