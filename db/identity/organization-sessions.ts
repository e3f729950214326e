import type { AnyTx, IdentityTx } from '../tx.js';
import { columns, IdentityTable, removeExpiredRows } from './columns.js';

const table = 'identity.organization_sessions';

/** What a session of a browser has joined an organization with. Only hashes of the tokens in the cookies are stored. */
export class OrganizationSessionsTable extends IdentityTable {
  /** Begins one, and ends those that the session of the browser had in the organization before. */
  async begin(
    session: {
      organizationId: number;
      sessionId: number;
      accountId: number;
      hash: Buffer;
      bySso: boolean;
      createdAt: Date;
      expiresAt: Date;
    },
    tx: IdentityTx,
  ): Promise<void> {
    const { organizationId, sessionId, createdAt } = session;
    await tx(table)
      .where(columns({ organizationId, sessionId, endedAt: null }))
      .update({ ended_at: createdAt });
    await tx(table).insert(columns(session));
    await removeExpiredRows(tx, table, createdAt);
  }

  /** Whether a session of an account has joined an organization by its identity provider, and that still counts. */
  async isOpenBySso(
    { organizationId, sessionId }: { organizationId: number; sessionId: number },
    now: Date,
    tx?: AnyTx,
  ): Promise<boolean> {
    const found = await (tx ?? this.knex)(table)
      .where(columns({ organizationId, sessionId, bySso: true, endedAt: null }))
      .where('expires_at', '>', now)
      .first('id');
    return found !== undefined;
  }

  /** Ends all sessions of an account in an organization. */
  async endAll(
    { organizationId, accountId }: { organizationId: number; accountId: number },
    at: Date,
    tx: AnyTx,
  ): Promise<void> {
    await tx(table)
      .where(columns({ organizationId, accountId, endedAt: null }))
      .update({ ended_at: at });
  }
}
