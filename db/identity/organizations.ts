import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf } from './columns.js';
import type { OrganizationRole } from './organization-members.js';

const fields = {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string>(),
  slug: column<string>(),
  /** Who has proved an address of these domains may join; empty: invited people only. */
  joinDomains: column<string[]>(),
  /** Whoever is signed in may join. */
  anyoneMayJoin: column<boolean>(),
  /** A public picture of one of its workspaces; null: none. */
  logoWorkspaceId: column<number | null>(),
  logoFileId: column<number | null>(),
  /** Its workspaces are entered by its identity provider only. */
  ssoOnly: column<boolean>(),
  /** The name below which the carrier calls back for its workspaces; null: it calls back at the usual addresses. */
  publicPath: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

/** A group of workspaces with settings of its own. */
export type OrganizationRow = ValuesOf<typeof fields>;

export type OrganizationChanges = Partial<Omit<OrganizationRow, 'id' | 'uuid' | 'createdAt'>>;

/** A workspace of an organization, as its members see it. */
export interface WorkspaceOfOrganization {
  id: number;
  uuid: string;
  name: string;
}

const table = 'identity.organizations';
const workspaces = 'identity.workspaces';

/** SQL: the organization `o` of the workspace `w`, if it has one. */
export const organizationOfWorkspace = `left join ${table} o on o.id = w.organization_id`;
/** SQL: whether the workspace `w` is entered by the identity provider of its organization only. */
export const isSsoOnly = 'coalesce(o.sso_only, false)';

/** The name below which the carrier calls back for a workspace; undefined: it calls back at the usual addresses. */
export async function publicPathOf(tx: AnyTx | Knex, workspaceUuid: string): Promise<string | undefined> {
  const [found] = await prepared<{ publicPath: string | null }>(
    tx,
    `select o.public_path as "publicPath" from ${workspaces} w ${organizationOfWorkspace} where w.uuid = ?`,
    [workspaceUuid],
  );
  return found?.publicPath ?? undefined;
}

/** Where the carrier has to call back: for a workspace, or for one of its numbers. */
export interface CarrierPath {
  ssoOnly: boolean;
  publicPath: string | null;
}

export class OrganizationsTable extends IdentityTable {
  /** Undefined if the slug is taken. */
  async insert(
    organization: Pick<OrganizationRow, 'name' | 'slug' | 'createdAt' | 'updatedAt'> & {
      createdByAccountId: number;
      uuid?: string | undefined;
    },
    tx: IdentityTx,
  ): Promise<OrganizationRow | undefined> {
    const [inserted]: { id: number }[] = await tx(table)
      .insert(columns(organization))
      .onConflict('slug')
      .ignore()
      .returning('id');
    return inserted && tx(table).select(aliases(fields)).where({ id: inserted.id }).first();
  }

  async findByUuid(uuid: string, tx?: AnyTx): Promise<OrganizationRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where({ uuid }).first();
  }

  async findBySlug(slug: string): Promise<OrganizationRow | undefined> {
    return this.knex(table).select(aliases(fields)).where({ slug }).first();
  }

  /** Like `findByUuid`, and locks the row until the transaction ends: its members and workspaces change one by one. */
  async lockByUuid(uuid: string, tx: AnyTx): Promise<OrganizationRow | undefined> {
    return tx(table).select(aliases(fields)).where({ uuid }).forNoKeyUpdate().first();
  }

  /** @throws a unique violation if the slug is taken */
  async update(id: number, changes: OrganizationChanges, tx: AnyTx): Promise<OrganizationRow> {
    await tx(table).where({ id }).update(columns(changes));
    return tx(table).select(aliases(fields)).where({ id }).first();
  }

  async countCreatedBy(accountId: number, tx: AnyTx): Promise<number> {
    return countOf(tx(table).where({ created_by_account_id: accountId }));
  }

  /** Lists the organizations that an account is an active member of, with its role in each. */
  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
    onlyOrganizationId: number | null,
  ): Promise<PageOf<OrganizationRow & { role: OrganizationRole }>> {
    const mine = this.knex(`${table} as o`)
      .select({ ...aliases(fields, 'o'), role: 'm.role' })
      .join('identity.organization_members as m', 'm.organization_id', 'o.id')
      .where({ 'm.account_id': accountId, 'm.status': 'active' });
    if (onlyOrganizationId !== null) mine.where('o.id', onlyOrganizationId);
    return pageOf(mine, page, page.sortBy === 'name' ? 'o.name' : 'o.created_at', 'o.id');
  }

  /** Lists the workspaces of an organization, in the order in which they were created. */
  async workspacesOf(organizationId: number, tx?: AnyTx): Promise<WorkspaceOfOrganization[]> {
    return (tx ?? this.knex)(workspaces)
      .select('id', 'uuid', 'name')
      .where({ organization_id: organizationId })
      .orderBy('id');
  }

  /** Undefined for a workspace or a number that does not exist. */
  async carrierPathOf(
    place: { workspaceUuid: string } | { number: string },
  ): Promise<CarrierPath | undefined> {
    const columnsOfPath = `${isSsoOnly} as "ssoOnly", o.public_path as "publicPath"`;
    const [found] =
      'number' in place
        ? await prepared<CarrierPath>(
            this.knex,
            `select ${columnsOfPath} from identity.phone_number_routes r
             join ${workspaces} w on w.id = r.workspace_id ${organizationOfWorkspace} where r.number = ?`,
            [place.number],
          )
        : await prepared<CarrierPath>(
            this.knex,
            `select ${columnsOfPath} from ${workspaces} w ${organizationOfWorkspace} where w.uuid = ?`,
            [place.workspaceUuid],
          );
    return found;
  }

  async publicPathOf(workspaceUuid: string): Promise<string | undefined> {
    return publicPathOf(this.knex, workspaceUuid);
  }

  /** Whether the workspace is entered by the identity provider of its organization only. */
  async isSsoOnly(workspaceId: number, tx?: AnyTx): Promise<boolean> {
    const [found] = await prepared<{ ssoOnly: boolean }>(
      tx ?? this.knex,
      `select ${isSsoOnly} as "ssoOnly" from ${workspaces} w ${organizationOfWorkspace} where w.id = ?`,
      [workspaceId],
    );
    return found?.ssoOnly ?? false;
  }

  async findByWorkspace(workspaceId: number, tx?: AnyTx): Promise<OrganizationRow | undefined> {
    return (tx ?? this.knex)(`${table} as o`)
      .select(aliases(fields, 'o'))
      .join(`${workspaces} as w`, 'w.organization_id', 'o.id')
      .where('w.id', workspaceId)
      .first();
  }

  /** Puts the transaction's workspace into an organization, or takes it out of this one. False: it is in another one. */
  async setOfWorkspace(organizationId: number, place: 'inside' | 'outside', tx: Tx): Promise<boolean> {
    const changed = await tx(workspaces)
      .where({ id: tx.workspaceId })
      .where((free) => {
        free.where({ organization_id: organizationId });
        if (place === 'inside') free.orWhereNull('organization_id');
      })
      .update({ organization_id: place === 'inside' ? organizationId : null });
    return changed > 0;
  }
}
