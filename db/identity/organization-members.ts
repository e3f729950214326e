import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, pageOf } from './identity-table.js';
import { OrganizationMemberModel, type OrganizationMemberRow } from './models/organization-member.js';

export class OrganizationMembersTable extends IdentityTable {
  async find(
    organizationId: number,
    accountId: number,
    tx?: AnyTx,
  ): Promise<OrganizationMemberRow | undefined> {
    const isOfAccount = 'organization_id = ? and account_id = ?';
    return OrganizationMemberModel.first(tx ?? this.knex, isOfAccount, [organizationId, accountId]);
  }

  async findById(organizationId: number, id: number, tx: AnyTx): Promise<OrganizationMemberRow | undefined> {
    return OrganizationMemberModel.first(tx, 'organization_id = ? and id = ?', [organizationId, id]);
  }

  /** Adds a member; one that is there already stays as it is. */
  async add(
    member: Omit<OrganizationMemberRow, 'id' | 'status' | 'updatedAt'>,
    tx: IdentityTx,
  ): Promise<OrganizationMemberRow> {
    const values = { ...member, updatedAt: member.createdAt };
    const added = await OrganizationMemberModel.insertOnce(tx, values, ['organizationId', 'accountId']);
    const there = added ?? (await this.find(member.organizationId, member.accountId, tx));
    if (there === undefined) throw new Error('a member of an organization is gone');
    return there;
  }

  async update(
    id: number,
    changes: Partial<Pick<OrganizationMemberRow, 'role' | 'status'>> & { updatedAt: Date },
    tx: IdentityTx,
  ): Promise<OrganizationMemberRow> {
    return OrganizationMemberModel.patch(tx, id, changes);
  }

  async remove(id: number, tx: IdentityTx): Promise<void> {
    await OrganizationMemberModel.deleteWhere(tx, 'id = ?', [id]);
  }

  async list(
    organizationId: number,
    page: PageRequest<'createdAt' | 'name'>,
  ): Promise<PageOf<OrganizationMemberRow>> {
    const members = {
      select: OrganizationMemberModel.columns,
      from: 'identity.organization_members where organization_id = ?',
      bindings: [organizationId],
    };
    return pageOf(this.knex, members, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async count(organizationId: number, tx: AnyTx): Promise<number> {
    return OrganizationMemberModel.count(tx, 'organization_id = ?', [organizationId]);
  }

  /** Whether another active member than this one, whose account can be signed in to, is an owner. */
  async hasOtherOwner({ id, organizationId }: OrganizationMemberRow, tx: AnyTx): Promise<boolean> {
    const others = await prepared(
      tx,
      `select 1 from identity.organization_members m join identity.accounts a on a.id = m.account_id
       where m.organization_id = ? and m.role = 'owner' and m.status = 'active' and a.enabled and m.id <> ? limit 1`,
      [organizationId, id],
    );
    return others.length > 0;
  }
}
