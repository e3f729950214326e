import { prepared } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { type Claimant, isOfMembers, placesOf } from './claims.js';
import { IdentityTable, removeExpiredRows } from './identity-table.js';
import { SiteVisitorModel, type SiteVisitorRow } from './models/site-visitor.js';

type NewSiteVisitor = Pick<SiteVisitorRow, 'siteId' | 'createdAt' | 'expiresAt'> &
  Partial<Pick<SiteVisitorRow, 'memberId' | 'chatId' | 'sessionId'>> & { hash: Buffer };

/** Visitors who chat without signing in. Only hashes of their tokens are stored. */
export class SiteVisitorsTable extends IdentityTable {
  async insert(visitor: NewSiteVisitor, tx: Tx): Promise<SiteVisitorRow> {
    const begun = { workspaceId: tx.workspaceId, lastUsedAt: visitor.createdAt };
    return SiteVisitorModel.insert(tx, { ...visitor, ...begun });
  }

  /**
   * The visitor of a token that is in force: neither ended nor expired, and its session, if it has one, is open.
   */
  async findInForce(hash: Buffer, now: Date, tx?: AnyTx): Promise<SiteVisitorRow | undefined> {
    const [found] = await prepared<SiteVisitorRow>(
      tx ?? this.knex,
      `select ${SiteVisitorModel.columns} from identity.site_visitors
       left join identity.sessions s on s.id = site_visitors.session_id
       left join identity.accounts a on a.id = s.account_id
       where site_visitors.hash = ? and site_visitors.ended_at is null and site_visitors.expires_at > ?
         and (site_visitors.session_id is null or s.ended_at is null and s.expires_at > ? and a.enabled)`,
      [hash, now, now],
    );
    return found;
  }

  /** Locks a visitor until the transaction ends: its messages come one after the other. */
  async lock(id: number, tx: AnyTx): Promise<SiteVisitorRow | undefined> {
    return SiteVisitorModel.first(tx, 'id = ? and ended_at is null for update', [id]);
  }

  /** `findInForce`, and locks the visitor until the transaction ends. */
  async lockInForce(hash: Buffer, now: Date, tx: AnyTx): Promise<SiteVisitorRow | undefined> {
    const isInForce = 'hash = ? and ended_at is null and expires_at > ?';
    return SiteVisitorModel.first(tx, `${isInForce} for update`, [hash, now]);
  }

  async patch(
    id: number,
    changes: Partial<Pick<SiteVisitorRow, 'memberId' | 'chatId' | 'lastUsedAt' | 'expiresAt' | 'endedAt'>>,
    tx: AnyTx,
  ): Promise<void> {
    await SiteVisitorModel.updateWhere(tx, changes, 'id = ?', [id]);
  }

  async touch(id: number, { at, expiresAt }: { at: Date; expiresAt: Date }): Promise<void> {
    await SiteVisitorModel.updateWhere(this.knex, { lastUsedAt: at, expiresAt }, 'id = ?', [id]);
  }

  /** Ends the tokens of these members. */
  async endAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    const isOpen = `ended_at is null and ${isOfMembers}`;
    await SiteVisitorModel.updateWhere(tx, { endedAt: at }, isOpen, placesOf(members));
  }

  async removeOfSite(siteId: number, tx: Tx): Promise<void> {
    await SiteVisitorModel.deleteWhere(tx, 'workspace_id = ? and site_id = ?', [tx.workspaceId, siteId]);
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, SiteVisitorModel, before);
  }
}
