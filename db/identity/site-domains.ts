import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx, Tx } from '../tx.js';
import { aliases, columns, IdentityTable, returned } from './columns.js';

const table = 'identity.site_domains';
const fields = {
  id: column<number>(),
  workspaceId: column<number>(),
  siteId: column<number>(),
  /** In punycode, lower case, without a final dot. */
  domain: column<string>(),
  /** What the TXT record has to say. */
  challenge: column<string>(),
  /** When the proof was first found; null: the domain does not map to the site. */
  provedAt: column<Date | null>(),
  /** When the record was last looked up. */
  checkedAt: column<Date | null>(),
  /** Why the last look found no proof: a code. */
  failure: column<string | null>(),
  /** Since when each look at a mapped domain has failed. */
  failingSince: column<Date | null>(),
  /** When the domain ceased to map. */
  lapsedAt: column<Date | null>(),
  /** When a mapped domain is looked at next. */
  checkAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

export type SiteDomainRow = ValuesOf<typeof fields>;

/** Where a domain leads. */
export interface SiteOfDomain {
  workspaceId: number;
  workspaceUuid: string;
  siteId: number;
}

/** Domains that sites claim, by which visitors find a site before a workspace is known. */
export class SiteDomainsTable extends IdentityTable {
  /** The claims of these sites, by the id of the site. */
  async ofSites(
    workspaceId: number,
    siteIds: readonly number[],
    tx?: AnyTx,
  ): Promise<Map<number, SiteDomainRow>> {
    if (siteIds.length === 0) return new Map();
    const rows: SiteDomainRow[] = await (tx ?? this.knex)(table)
      .select(aliases(fields))
      .where({ workspace_id: workspaceId })
      .whereIn('site_id', [...siteIds]);
    return new Map(rows.map((row) => [row.siteId, row]));
  }

  /** The claim of a site, locked until the transaction ends. */
  async lock(siteId: number, tx: Tx): Promise<SiteDomainRow | undefined> {
    return tx(table)
      .select(aliases(fields))
      .where({ workspace_id: tx.workspaceId, site_id: siteId })
      .forUpdate()
      .first();
  }

  /** The claim that the domain maps to. */
  async findMapped(domain: string, tx?: AnyTx): Promise<SiteDomainRow | undefined> {
    return (tx ?? this.knex)(table)
      .select(aliases(fields))
      .where({ domain })
      .whereNotNull('proved_at')
      .first();
  }

  /** Where a domain leads. It is compared exactly. */
  async siteOf(domain: string): Promise<SiteOfDomain | undefined> {
    return this.knex(`${table} as d`)
      .join('identity.workspaces as w', 'w.id', 'd.workspace_id')
      .select({ workspaceId: 'd.workspace_id', workspaceUuid: 'w.uuid', siteId: 'd.site_id' })
      .where('d.domain', domain)
      .whereNotNull('d.proved_at')
      .first();
  }

  /** @throws a unique violation when another site of the workspace claims the domain */
  async insert(
    claim: Pick<SiteDomainRow, 'siteId' | 'domain' | 'challenge' | 'createdAt' | 'updatedAt'>,
    tx: Tx,
  ): Promise<SiteDomainRow> {
    const [row] = await tx(table)
      .insert(columns({ ...claim, workspaceId: tx.workspaceId }))
      .returning<SiteDomainRow[]>(returned(fields));
    if (row === undefined) throw new Error('no claim was stored');
    return row;
  }

  /** @throws a unique violation when another claim of the domain is mapped */
  async patch(
    id: number,
    changes: Partial<Omit<SiteDomainRow, 'id' | 'workspaceId' | 'siteId' | 'createdAt'>>,
    tx: AnyTx,
  ): Promise<void> {
    await tx(table).where({ id }).update(columns(changes));
  }

  async remove(siteId: number, tx: Tx): Promise<SiteDomainRow | undefined> {
    const [removed] = await tx(table)
      .where({ workspace_id: tx.workspaceId, site_id: siteId })
      .delete()
      .returning<SiteDomainRow[]>(returned(fields));
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
    const query = this.knex(table)
      .select<SiteDomainRow[]>(aliases(fields))
      .whereNull('proved_at')
      .whereRaw(`${since} <= ?`, [by])
      .orderByRaw(`${since}, id`)
      .limit(most);
    return after === undefined
      ? query
      : query.whereRaw(`(${since}, id) > (?, ?)`, [after.lapsedAt ?? after.createdAt, after.id]);
  }

  /**
   * Takes the mapped claims that are due, in the order of their time, and puts their next look off, so that no other pass takes
   * them meanwhile.
   */
  async takeDue(now: Date, next: Date, most: number): Promise<SiteDomainRow[]> {
    const due = this.knex(table)
      .select('id')
      .whereNotNull('proved_at')
      .where('check_at', '<=', now)
      .orderBy(['check_at', 'id'])
      .limit(most)
      .forUpdate()
      .skipLocked();
    return this.knex(table)
      .whereIn('id', due)
      .update({ check_at: next })
      .returning<SiteDomainRow[]>(returned(fields));
  }
}
