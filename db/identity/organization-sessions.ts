import type { RowOf } from '../lib/table-model.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, removeExpiredRows } from './identity-table.js';
import { OrganizationSessionModel } from './models/organization-session.js';

type OrganizationSessionRow = RowOf<OrganizationSessionModel>;

/** What a session of a browser has joined an organization with. Only hashes of the tokens in the cookies are stored. */
export class OrganizationSessionsTable extends IdentityTable {
  /** Begins one, and ends those that the session of the browser had in the organization before. */
  async begin(
    session: Omit<OrganizationSessionRow, 'id' | 'endedAt'> & { hash: Buffer },
    tx: IdentityTx,
  ): Promise<void> {
    const { organizationId, sessionId, createdAt } = session;
    const isBefore = 'organization_id = ? and session_id = ? and ended_at is null';
    const changes = { endedAt: createdAt };
    await OrganizationSessionModel.updateWhere(tx, changes, isBefore, [organizationId, sessionId]);
    await OrganizationSessionModel.insert(tx, session);
    await removeExpiredRows(tx, OrganizationSessionModel, createdAt);
  }

  /** Whether a session of an account has joined an organization by its identity provider, and that still counts. */
  async isOpenBySso(
    { organizationId, sessionId }: Pick<OrganizationSessionRow, 'organizationId' | 'sessionId'>,
    now: Date,
    tx?: AnyTx,
  ): Promise<boolean> {
    return OrganizationSessionModel.exists(
      tx ?? this.knex,
      'organization_id = ? and session_id = ? and by_sso and ended_at is null and expires_at > ?',
      [organizationId, sessionId, now],
    );
  }

  /** Ends all sessions of an account in an organization. */
  async endAll(
    { organizationId, accountId }: Pick<OrganizationSessionRow, 'organizationId' | 'accountId'>,
    at: Date,
    tx: AnyTx,
  ): Promise<void> {
    const isOpen = 'organization_id = ? and account_id = ? and ended_at is null';
    await OrganizationSessionModel.updateWhere(tx, { endedAt: at }, isOpen, [organizationId, accountId]);
  }
}
