import type { Knex } from 'knex';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx, Tx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import { OrganizationModel, type OrganizationRow } from './models/organization.js';
import type { OrganizationRole } from './models/organization-member.js';
import { WorkspaceModel, type WorkspaceRow } from './models/workspace.js';

type OrganizationChanges = Partial<Omit<OrganizationRow, 'id' | 'uuid' | 'createdAt'>>;

/** A workspace of an organization, as its members see it. */
export type WorkspaceOfOrganization = Pick<WorkspaceRow, 'id' | 'uuid' | 'name'>;

/** SQL: the organization `o` of the workspace `w`, if it has one. */
export const organizationOfWorkspace = `left join identity.organizations o on o.id = w.organization_id`;
/** SQL: whether the workspace `w` is entered by the identity provider of its organization only. */
export const isSsoOnly = 'coalesce(o.sso_only, false)';

/** The name below which the carrier calls back for a workspace; undefined: it calls back at the usual addresses. */
export async function publicPathOf(tx: AnyTx | Knex, workspaceUuid: string): Promise<string | undefined> {
  const [found] = await prepared<{ publicPath: string | null }>(
    tx,
    `select o.public_path as "publicPath" from identity.workspaces w ${organizationOfWorkspace} where w.uuid = ?`,
    [workspaceUuid],
  );
  return found?.publicPath ?? undefined;
}

/** What the carrier calls for, a workspace or one of its numbers, and where it has to call. */
export interface CarrierPlace {
  workspaceId: number;
  /** Null: it calls for the workspace. */
  phoneNumberId: number | null;
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
    return OrganizationModel.insertOnce(tx, organization, ['slug']);
  }

  async findByUuid(uuid: string, tx?: AnyTx): Promise<OrganizationRow | undefined> {
    return OrganizationModel.first(tx ?? this.knex, 'uuid = ?', [uuid]);
  }

  async findBySlug(slug: string): Promise<OrganizationRow | undefined> {
    return OrganizationModel.first(this.knex, 'slug = ?', [slug]);
  }

  /** Like `findByUuid`, and locks the row until the transaction ends: its members and workspaces change one by one. */
  async lockByUuid(uuid: string, tx: AnyTx): Promise<OrganizationRow | undefined> {
    return OrganizationModel.first(tx, 'uuid = ? for no key update', [uuid]);
  }

  /** @throws a unique violation if the slug is taken */
  async update(id: number, changes: OrganizationChanges, tx: AnyTx): Promise<OrganizationRow> {
    return OrganizationModel.patch(tx, id, changes);
  }

  async countCreatedBy(accountId: number, tx: AnyTx): Promise<number> {
    return OrganizationModel.count(tx, 'created_by_account_id = ?', [accountId]);
  }

  /** Lists the organizations that an account is an active member of, with its role in each. */
  async listForAccount(
    accountId: number,
    page: PageRequest<'name' | 'createdAt'>,
    onlyOrganizationId: number | null,
  ): Promise<PageOf<OrganizationRow & { role: OrganizationRole }>> {
    const mine = {
      select: `${OrganizationModel.columns}, m.role`,
      from: `identity.organizations join identity.organization_members m on m.organization_id = organizations.id
        where m.account_id = ? and m.status = 'active'`,
      bindings: [accountId],
    };
    if (onlyOrganizationId !== null) {
      mine.from += ' and organizations.id = ?';
      mine.bindings.push(onlyOrganizationId);
    }
    const sortColumn = page.sortBy === 'name' ? 'organizations.name' : 'organizations.created_at';
    return pageOf(this.knex, mine, page, sortColumn, 'organizations.id');
  }

  /** Lists the workspaces of an organization, in the order in which they were created. */
  async workspacesOf(organizationId: number, tx?: AnyTx): Promise<WorkspaceOfOrganization[]> {
    const areInside = 'organization_id = ? order by id';
    return WorkspaceModel.pick(tx ?? this.knex, ['id', 'uuid', 'name'], areInside, [organizationId]);
  }

  /** Undefined for a workspace or a number that does not exist. */
  async findCarrierPlace(
    place: { workspaceUuid: string } | { number: string },
  ): Promise<CarrierPlace | undefined> {
    const columns = `w.id as "workspaceId", ${isSsoOnly} as "ssoOnly", o.public_path as "publicPath"`;
    const [found] =
      'number' in place
        ? await prepared<CarrierPlace>(
            this.knex,
            `select ${columns}, r.phone_number_id as "phoneNumberId" from identity.phone_number_routes r
             join identity.workspaces w on w.id = r.workspace_id ${organizationOfWorkspace} where r.number = ?`,
            [place.number],
          )
        : await prepared<CarrierPlace>(
            this.knex,
            `select ${columns}, null as "phoneNumberId" from identity.workspaces w ${organizationOfWorkspace} where w.uuid = ?`,
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
      `select ${isSsoOnly} as "ssoOnly" from identity.workspaces w ${organizationOfWorkspace} where w.id = ?`,
      [workspaceId],
    );
    return found?.ssoOnly ?? false;
  }

  async findByWorkspace(workspaceId: number, tx?: AnyTx): Promise<OrganizationRow | undefined> {
    const isOfWorkspace = 'id = (select organization_id from identity.workspaces where id = ?)';
    return OrganizationModel.first(tx ?? this.knex, isOfWorkspace, [workspaceId]);
  }

  /** Puts the transaction's workspace into an organization, or takes it out of this one. False: it is in another one. */
  async setOfWorkspace(organizationId: number, place: 'inside' | 'outside', tx: Tx): Promise<boolean> {
    const changed =
      place === 'inside'
        ? await WorkspaceModel.updateWhere(
            tx,
            { organizationId },
            'id = ? and (organization_id = ? or organization_id is null)',
            [tx.workspaceId, organizationId],
          )
        : await WorkspaceModel.updateWhere(tx, { organizationId: null }, 'id = ? and organization_id = ?', [
            tx.workspaceId,
            organizationId,
          ]);
    return changed > 0;
  }
}
