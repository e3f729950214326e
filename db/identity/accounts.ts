import { column, type ValuesOf } from '../lib/table.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { aliases, columns, IdentityTable } from './columns.js';
import type { LoginChannel } from './login-codes.js';

export const accountFields = {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string | null>(),
  email: column<string | null>(),
  phone: column<string | null>(),
  emailVerifiedAt: column<Date | null>(),
  phoneVerifiedAt: column<Date | null>(),
  avatarUrl: column<string | null>(),
  isSuperuser: column<boolean>(),
  enabled: column<boolean>(),
  /** Created for one member, by its workspace: nobody has signed in to it, and it has no address of its own. */
  standsAlone: column<boolean>(),
  signupWorkspaceId: column<number | null>(),
  tosAccepted: column<boolean>(),
  optedOut: column<boolean>(),
  paymentCustomerId: column<string | null>(),
  locale: column<string>(),
  timezone: column<string>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

export type AccountRow = ValuesOf<typeof accountFields>;

type AccountChanges = Partial<{
  [Field in keyof Omit<AccountRow, 'id' | 'uuid' | 'createdAt'>]: AccountRow[Field] | undefined;
}>;

type NewAccount = AccountChanges & { uuid?: string | undefined; createdAt?: Date | undefined };

const table = 'identity.accounts';

export class AccountsTable extends IdentityTable {
  /** @throws a unique violation when the email or the phone belongs to another account */
  async create(account: NewAccount, tx?: AnyTx): Promise<AccountRow> {
    const knex = tx ?? this.knex;
    const inserted: { id: number }[] = await knex(table).insert(columns(account)).returning('id');
    return knex(table).select(aliases(accountFields)).where({ id: inserted[0]?.id }).first();
  }

  async findById(id: number, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(accountFields)).where({ id }).first();
  }

  /** Finds an account by its address. Emails are stored in lower case, phones in E.164. */
  async findByEmail(email: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(accountFields)).where({ email }).first();
  }

  async findByPhone(phone: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(accountFields)).where({ phone }).first();
  }

  async findByAddress(channel: LoginChannel, address: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return channel === 'email' ? this.findByEmail(address, tx) : this.findByPhone(address, tx);
  }

  /** Like `findByAddress`, and locks the row until the transaction ends. */
  async lockByAddress(channel: LoginChannel, address: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return tx(table)
      .select(aliases(accountFields))
      .where({ [channel]: address })
      .forNoKeyUpdate()
      .first();
  }

  /** Locks those of the accounts that stand alone and are enabled. @returns their ids, oldest first */
  async lockAlone(ids: readonly number[], tx: IdentityTx): Promise<number[]> {
    const rows = await statement<{ id: number }>(
      tx,
      `select id from ${table} where id = any(?) and stands_alone and enabled order by id for update`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Like `findById`, and locks the row until the transaction ends. */
  async lock(id: number, tx: AnyTx): Promise<AccountRow | undefined> {
    return tx(table).select(aliases(accountFields)).where({ id }).forNoKeyUpdate().first();
  }

  async lockByUuid(uuid: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return tx(table).select(aliases(accountFields)).where({ uuid }).forNoKeyUpdate().first();
  }

  async takesPart(id: number, tx: AnyTx): Promise<boolean> {
    const [found] = await statement<{ takesPart: boolean }>(
      tx,
      `select exists (select from identity.memberships where account_id = ?)
         or exists (select from identity.api_keys where account_id = ? and revoked_at is null) as "takesPart"`,
      [id, id],
    );
    return found?.takesPart ?? false;
  }

  async update(id: number, changes: AccountChanges, tx?: AnyTx): Promise<AccountRow | undefined> {
    const knex = tx ?? this.knex;
    await knex(table).where({ id }).update(columns(changes));
    return knex(table).select(aliases(accountFields)).where({ id }).first();
  }
}

/** Whether the account of a member of the transaction's workspace has opted out of messages. */
export async function hasAccountOptedOut(tx: Tx, memberId: number): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and a.opted_out`,
    [tx.workspaceId, memberId],
  );
  return found.length > 0;
}

/** Whether the account of a member of the transaction's workspace has proved an address, and is enabled. */
export async function hasProvedAddress(
  tx: Tx,
  memberId: number,
  { channel, address }: { channel: LoginChannel; address: string },
): Promise<boolean> {
  const found = await prepared(
    tx,
    `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
     where m.workspace_id = ? and m.member_id = ? and a.enabled
       and ((?::text = 'email' and a.email = ? and a.email_verified_at is not null)
         or (?::text = 'phone' and a.phone = ? and a.phone_verified_at is not null))`,
    [tx.workspaceId, memberId, channel, address, channel, address],
  );
  return found.length > 0;
}
