import { column, type ValuesOf } from '../lib/table.js';
import { prepared, statement } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import type { Claimant } from './claims.js';
import { aliases, columns, IdentityTable, removeExpiredRows, returned } from './columns.js';

const table = 'identity.site_visitors';
const fields = {
  id: column<number>(),
  workspaceId: column<number>(),
  siteId: column<number>(),
  /** Null before the first message. */
  memberId: column<number | null>(),
  /** The chat that the visitor writes in. */
  chatId: column<number | null>(),
  /** Of a visitor who has signed up. */
  sessionId: column<number | null>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date>(),
  expiresAt: column<Date>(),
  endedAt: column<Date | null>(),
};

export type SiteVisitorRow = ValuesOf<typeof fields>;

export type NewSiteVisitor = Pick<SiteVisitorRow, 'siteId' | 'createdAt' | 'expiresAt'> &
  Partial<Pick<SiteVisitorRow, 'memberId' | 'chatId' | 'sessionId'>> & {
    /** SHA-256 of the token. */
    hash: Buffer;
  };

const selected = Object.entries(aliases(fields, 'v'))
  .map(([field, name]) => `${name} as "${field}"`)
  .join(', ');

/** Visitors who chat without signing in. Only hashes of their tokens are stored. */
export class SiteVisitorsTable extends IdentityTable {
  async insert(visitor: NewSiteVisitor, tx: Tx): Promise<SiteVisitorRow> {
    const row = columns({ ...visitor, workspaceId: tx.workspaceId, lastUsedAt: visitor.createdAt });
    const [inserted] = await tx(table).insert(row).returning<SiteVisitorRow[]>(returned(fields));
    if (inserted === undefined) throw new Error('no visitor was stored');
    return inserted;
  }

  /**
   * The visitor of a token that is in force: neither ended nor expired, and its session, if it has one, is open.
   */
  async findInForce(hash: Buffer, now: Date, tx?: AnyTx): Promise<SiteVisitorRow | undefined> {
    const [found] = await prepared<SiteVisitorRow>(
      tx ?? this.knex,
      `select ${selected} from ${table} v
       left join identity.sessions s on s.id = v.session_id
       left join identity.accounts a on a.id = s.account_id
       where v.hash = ? and v.ended_at is null and v.expires_at > ?
         and (v.session_id is null or s.ended_at is null and s.expires_at > ? and a.enabled)`,
      [hash, now, now],
    );
    return found;
  }

  /** Locks a visitor until the transaction ends: its messages come one after the other. */
  async lock(id: number, tx: AnyTx): Promise<SiteVisitorRow | undefined> {
    return tx(table).select(aliases(fields)).where({ id, ended_at: null }).forUpdate().first();
  }

  /** `findInForce`, and locks the visitor until the transaction ends. */
  async lockInForce(hash: Buffer, now: Date, tx: AnyTx): Promise<SiteVisitorRow | undefined> {
    const found = await tx(table)
      .select(aliases(fields))
      .where({ hash, ended_at: null })
      .where('expires_at', '>', now)
      .forUpdate()
      .first();
    return found;
  }

  async patch(
    id: number,
    changes: Partial<Pick<SiteVisitorRow, 'memberId' | 'chatId' | 'lastUsedAt' | 'expiresAt' | 'endedAt'>>,
    tx: AnyTx,
  ): Promise<void> {
    await tx(table).where({ id }).update(columns(changes));
  }

  async touch(id: number, { at, expiresAt }: { at: Date; expiresAt: Date }): Promise<void> {
    await this.knex(table).where({ id }).update({ last_used_at: at, expires_at: expiresAt });
  }

  /** Ends the tokens of these members. */
  async endAllOf(members: readonly Claimant[], at: Date, tx: AnyTx): Promise<void> {
    await statement(
      tx,
      `update ${table} set ended_at = ? where ended_at is null
         and (workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))`,
      [at, members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)],
    );
  }

  async removeOfSite(siteId: number, tx: Tx): Promise<void> {
    await tx(table).where({ workspace_id: tx.workspaceId, site_id: siteId }).delete();
  }

  async removeExpired(before: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, table, before);
  }
}
