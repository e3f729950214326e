import { column, type ValuesOf } from '../lib/table.js';
import type { IdentityTx } from '../tx.js';
import { aliases, columns, IdentityTable, removeExpiredRows } from './columns.js';

export type LoginChannel = 'email' | 'phone';

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  /** Null when no account has the address. */
  accountId: column<number | null>(),
  /** A member that claims the address, if no account has it. Without either nothing is sent and no code is accepted. */
  claimantWorkspaceId: column<number | null>(),
  claimantMemberId: column<number | null>(),
  channel: column<LoginChannel>(),
  /** Keyed hash of the address. */
  identifierHash: column<Buffer>(),
  /** Keyed hash of the requester and the address; null where the last release created the code. */
  requesterHash: column<Buffer | null>(),
  /** Random and never disclosed; null where the last release created the code. */
  nonce: column<Buffer | null>(),
  /** The account that is to get `newAddress`; null for a code that signs in. */
  forAccountId: column<number | null>(),
  newAddress: column<string | null>(),
  wrongTries: column<number>(),
  expiresAt: column<Date>(),
  /** When the same requester requested a later code with the same address. */
  supersededAt: column<Date | null>(),
  usedAt: column<Date | null>(),
  claimedAt: column<Date | null>(),
  claimToken: column<string | null>(),
  sentAt: column<Date | null>(),
  failureReason: column<string | null>(),
  createdAt: column<Date>(),
};

/** A requested one-time code. The code itself is not stored: it is derived from the uuid, the nonce and a secret. */
export type LoginCodeRow = ValuesOf<typeof fields>;

export type NewLoginCode = Pick<
  LoginCodeRow,
  | 'accountId'
  | 'claimantWorkspaceId'
  | 'claimantMemberId'
  | 'channel'
  | 'identifierHash'
  | 'requesterHash'
  | 'nonce'
  | 'forAccountId'
  | 'newAddress'
  | 'expiresAt'
  | 'createdAt'
>;

export type LoginCodeChanges = Partial<
  Pick<LoginCodeRow, 'wrongTries' | 'usedAt' | 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>
>;

const table = 'identity.login_codes';

/** Login codes, from the request to their use. */
export class LoginCodesTable extends IdentityTable {
  /** Inserts a code, which supersedes those that the same requester requested with the same address. */
  async insert(code: NewLoginCode, tx: IdentityTx): Promise<LoginCodeRow> {
    await tx(table)
      .where(columns({ identifierHash: code.identifierHash, requesterHash: code.requesterHash }))
      .whereNull('used_at')
      .whereNull('superseded_at')
      .update({ superseded_at: code.createdAt });
    const [inserted] = await tx(table).insert(columns(code)).returning<{ id: number }[]>('id');
    return tx(table).select(aliases(fields)).where({ id: inserted?.id }).first();
  }

  async findByUuid(uuid: string): Promise<LoginCodeRow | undefined> {
    return this.knex(table).select(aliases(fields)).where({ uuid }).first();
  }

  async lock(uuid: string, tx: IdentityTx): Promise<LoginCodeRow | undefined> {
    return tx(table).select(aliases(fields)).where({ uuid }).forUpdate().first();
  }

  async update(id: number, changes: LoginCodeChanges, tx?: IdentityTx): Promise<void> {
    await (tx ?? this.knex)(table).where({ id }).update(columns(changes));
  }

  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    await removeExpiredRows(tx, table, before);
  }
}
