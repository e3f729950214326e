import type { Knex } from 'knex';
import type { IdentityTx } from '../database.js';
import { aliases, columns } from './columns.js';

export type LoginChannel = 'email' | 'phone';

/** A one-time code somebody asked for. The code itself is nowhere: it follows from the uuid and a secret. */
export interface LoginCodeRow {
  id: number;
  uuid: string;
  /** Null when no account has the address. */
  accountId: number | null;
  /**
   * A member that says the address is its own, where no account has it. Null as well when there is none: nothing is sent
   * then, and nothing is right.
   */
  claimantWorkspaceId: number | null;
  claimantMemberId: number | null;
  channel: LoginChannel;
  /** Keyed hash of the address. */
  identifierHash: Buffer;
  wrongTries: number;
  expiresAt: Date;
  /** A later code was asked for with the same address. */
  supersededAt: Date | null;
  usedAt: Date | null;
  claimedAt: Date | null;
  claimToken: string | null;
  sentAt: Date | null;
  failureReason: string | null;
  createdAt: Date;
}

export type NewLoginCode = Pick<
  LoginCodeRow,
  | 'accountId'
  | 'claimantWorkspaceId'
  | 'claimantMemberId'
  | 'channel'
  | 'identifierHash'
  | 'expiresAt'
  | 'createdAt'
>;

export type LoginCodeChanges = Partial<
  Pick<LoginCodeRow, 'wrongTries' | 'usedAt' | 'claimedAt' | 'claimToken' | 'sentAt' | 'failureReason'>
>;

const fields = [
  'id',
  'uuid',
  'accountId',
  'claimantWorkspaceId',
  'claimantMemberId',
  'channel',
  'identifierHash',
  'wrongTries',
  'expiresAt',
  'supersededAt',
  'usedAt',
  'claimedAt',
  'claimToken',
  'sentAt',
  'failureReason',
  'createdAt',
] as const satisfies readonly (keyof LoginCodeRow)[];
const table = 'identity.login_codes';
const mostRemovedAtOnce = 100;

/** Login codes: asked for, sent, used up. */
export class LoginCodesTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Puts a code in the place of all that were asked for with the same address. */
  async insert(code: NewLoginCode, tx: IdentityTx): Promise<LoginCodeRow> {
    await tx(table)
      .where(columns({ identifierHash: code.identifierHash }))
      .whereNull('used_at')
      .whereNull('superseded_at')
      .update({ superseded_at: code.createdAt });
    const [inserted] = await tx(table).insert(columns(code)).returning<{ id: number }[]>('id');
    return tx(table).select(aliases(fields)).where({ id: inserted?.id }).first();
  }

  async findByUuid(uuid: string): Promise<LoginCodeRow | undefined> {
    return this.#knex(table).select(aliases(fields)).where({ uuid }).first();
  }

  /** The code, which nobody else looks at until the transaction ends. */
  async lock(uuid: string, tx: IdentityTx): Promise<LoginCodeRow | undefined> {
    return tx(table).select(aliases(fields)).where({ uuid }).forUpdate().first();
  }

  async update(id: number, changes: LoginCodeChanges, tx?: IdentityTx): Promise<void> {
    await (tx ?? this.#knex)(table).where({ id }).update(columns(changes));
  }

  /** Removes some of those that expired before. */
  async removeExpired(before: Date, tx: IdentityTx): Promise<void> {
    const old = tx(table).select('id').where('expires_at', '<', before).limit(mostRemovedAtOnce);
    await tx(table).whereIn('id', old.forUpdate().skipLocked()).delete();
  }
}
