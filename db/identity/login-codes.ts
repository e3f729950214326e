import type { IdentityTx } from '../tx.js';
import { IdentityTable, removeExpiredRows } from './identity-table.js';
import { LoginCodeModel, type LoginCodeRow } from './models/login-code.js';

type LoginCodeChanges = Partial<
  Pick<LoginCodeRow, 'wrongTries' | 'usedAt' | 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>
>;

export type NewLoginCode = Omit<LoginCodeRow, 'id' | 'uuid' | 'supersededAt' | keyof LoginCodeChanges>;

/** Login codes, from the request to their use. */
export class LoginCodesTable extends IdentityTable {
  /** Inserts a code, which supersedes those that the same requester requested with the same address. */
  async insert(code: NewLoginCode, tx: IdentityTx): Promise<LoginCodeRow> {
    await LoginCodeModel.updateWhere(
      tx,
      { supersededAt: code.createdAt },
      `identifier_hash = ? and requester_hash is not distinct from ?
         and used_at is null and superseded_at is null`,
      [code.identifierHash, code.requesterHash],
    );
    return LoginCodeModel.insert(tx, code);
  }

  async findByUuid(uuid: string): Promise<LoginCodeRow | undefined> {
    return LoginCodeModel.first(this.knex, 'uuid = ?', [uuid]);
  }

  async lock(uuid: string, tx: IdentityTx): Promise<LoginCodeRow | undefined> {
    return LoginCodeModel.first(tx, 'uuid = ? for update', [uuid]);
  }

  async update(id: number, changes: LoginCodeChanges, tx?: IdentityTx): Promise<void> {
    await LoginCodeModel.updateWhere(tx ?? this.knex, changes, 'id = ?', [id]);
  }

  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    await removeExpiredRows(tx, LoginCodeModel, before);
  }
}
