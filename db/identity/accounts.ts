import type { Values } from '../lib/table-model.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { AccountModel, type AccountRow } from './models/account.js';
import type { LoginChannel } from './models/login-code.js';

type NewAccount = Omit<Values<AccountModel>, 'id'>;

const hasAddress = { email: 'email = ?', phone: 'phone = ?' };

export class AccountsTable extends IdentityTable {
  /** @throws a unique violation when the email or the phone belongs to another account */
  async create(account: NewAccount, tx?: AnyTx): Promise<AccountRow> {
    return AccountModel.insert(tx ?? this.knex, account);
  }

  async findById(id: number, tx?: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.find(tx ?? this.knex, id);
  }

  /** Finds an account by its address. Emails are stored in lower case, phones in E.164. */
  async findByEmail(email: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx ?? this.knex, hasAddress.email, [email]);
  }

  async findByPhone(phone: string, tx?: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx ?? this.knex, hasAddress.phone, [phone]);
  }

  async findByAddress(channel: LoginChannel, address: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx, hasAddress[channel], [address]);
  }

  /** Like `findByAddress`, and locks the row until the transaction ends. */
  async lockByAddress(channel: LoginChannel, address: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx, `${hasAddress[channel]} for no key update`, [address]);
  }

  /** Locks those of the accounts that stand alone and are enabled. @returns their ids, oldest first */
  async lockAlone(ids: readonly number[], tx: IdentityTx): Promise<number[]> {
    const areAlone = 'id = any(?) and stands_alone and enabled order by id for update';
    const rows = await AccountModel.pick(tx, ['id'], areAlone, [ids]);
    return rows.map(({ id }) => id);
  }

  /** Like `findById`, and locks the row until the transaction ends. */
  async lock(id: number, tx: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx, 'id = ? for no key update', [id]);
  }

  async lockByUuid(uuid: string, tx: AnyTx): Promise<AccountRow | undefined> {
    return AccountModel.first(tx, 'uuid = ? for no key update', [uuid]);
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

  async update(
    id: number,
    changes: Omit<NewAccount, 'uuid' | 'createdAt'>,
    tx?: AnyTx,
  ): Promise<AccountRow | undefined> {
    const [updated] = await AccountModel.updateReturning(tx ?? this.knex, changes, 'id = ?', [id]);
    return updated;
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
