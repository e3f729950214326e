import { prepared } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { SiteDomainModel, type SiteDomainRow } from './models/site-domain.js';

/** Where a domain leads. */
export interface SiteOfDomain {
  workspaceId: number;
  workspaceUuid: string;
  siteId: number;
}

const isOfSite = 'workspace_id = ? and site_id = ?';

/** Domains that sites claim, by which visitors find a site before a workspace is known. */
export class SiteDomainsTable extends IdentityTable {
  /** The claims of these sites, by the id of the site. */
  async ofSites(
    workspaceId: number,
    siteIds: readonly number[],
    tx?: AnyTx,
  ): Promise<Map<number, SiteDomainRow>> {
    if (siteIds.length === 0) return new Map();
    const areOfSites = 'workspace_id = ? and site_id = any(?)';
    const rows = await SiteDomainModel.where(tx ?? this.knex, areOfSites, [workspaceId, siteIds]);
    return new Map(rows.map((row) => [row.siteId, row]));
  }

  /** The claim of a site, locked until the transaction ends. */
  async lock(siteId: number, tx: Tx): Promise<SiteDomainRow | undefined> {
    return SiteDomainModel.first(tx, `${isOfSite} for update`, [tx.workspaceId, siteId]);
  }

  /** The claim that the domain maps to. */
  async findMapped(domain: string, tx?: AnyTx): Promise<SiteDomainRow | undefined> {
    return SiteDomainModel.first(tx ?? this.knex, 'domain = ? and proved_at is not null', [domain]);
  }

  /** Where a domain leads. It is compared exactly. */
  async siteOf(domain: string): Promise<SiteOfDomain | undefined> {
    const [found] = await prepared<SiteOfDomain>(
      this.knex,
      `select d.workspace_id as "workspaceId", w.uuid as "workspaceUuid", d.site_id as "siteId"
       from identity.site_domains d join identity.workspaces w on w.id = d.workspace_id
       where d.domain = ? and d.proved_at is not null`,
      [domain],
    );
    return found;
  }

  /** @throws a unique violation when another site of the workspace claims the domain */
  async insert(
    claim: Pick<SiteDomainRow, 'siteId' | 'domain' | 'challenge' | 'createdAt' | 'updatedAt'>,
    tx: Tx,
  ): Promise<SiteDomainRow> {
    return SiteDomainModel.insert(tx, { ...claim, workspaceId: tx.workspaceId });
  }

  /** @throws a unique violation when another claim of the domain is mapped */
  async patch(
    id: number,
    changes: Partial<Omit<SiteDomainRow, 'id' | 'workspaceId' | 'siteId' | 'createdAt'>>,
    tx: AnyTx,
  ): Promise<void> {
    await SiteDomainModel.updateWhere(tx, changes, 'id = ?', [id]);
  }

  async remove(siteId: number, tx: Tx): Promise<SiteDomainRow | undefined> {
    const [removed] = await SiteDomainModel.deleteReturning(tx, isOfSite, [tx.workspaceId, siteId]);
    return removed;
  }

  /** Claims without a proof that were made, or have lapsed, by a time, the oldest first. @param after the last one of those before */
  async selectUnproved({
    by,
    after,
    most,
  }: {
    by: Date;
    after: SiteDomainRow | undefined;
    most: number;
  }): Promise<SiteDomainRow[]> {
    const since = 'coalesce(lapsed_at, created_at)';
    const isLater = after === undefined ? '' : `and (${since}, id) > (?, ?)`;
    const place = after === undefined ? [] : [after.lapsedAt ?? after.createdAt, after.id];
    return SiteDomainModel.where(
      this.knex,
      `proved_at is null and ${since} <= ? ${isLater} order by ${since}, id limit ?`,
      [by, ...place, most],
    );
  }

  /**
   * Takes the mapped claims that are due, in the order of their time, and puts their next look off, so that no other pass takes
   * them meanwhile.
   */
  async takeDue(now: Date, next: Date, most: number): Promise<SiteDomainRow[]> {
    return SiteDomainModel.updateReturning(
      this.knex,
      { checkAt: next },
      `id in (select id from identity.site_domains where proved_at is not null and check_at <= ?
         order by check_at, id limit ? for update skip locked)`,
      [now, most],
    );
  }
}
