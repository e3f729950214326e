import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf } from './columns.js';

export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

export const membershipStatuses = ['active', 'disabled'] as const;

const fields = {
  id: column<number>(),
  organizationId: column<number>(),
  accountId: column<number>(),
  role: column<OrganizationRole>(),
  status: column<(typeof membershipStatuses)[number]>(),
  /** Name and address of the person when it joined: what the organization may know of the account. */
  name: column<string | null>(),
  email: column<string | null>(),
  joinedBy: column<'founding' | 'invitation' | 'domain' | 'open' | 'sso'>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

/** An account in an organization. */
export type OrganizationMemberRow = ValuesOf<typeof fields>;

const table = 'identity.organization_members';

export class OrganizationMembersTable extends IdentityTable {
  async find(
    organizationId: number,
    accountId: number,
    tx?: AnyTx,
  ): Promise<OrganizationMemberRow | undefined> {
    return (tx ?? this.knex)(table)
      .select(aliases(fields))
      .where(columns({ organizationId, accountId }))
      .first();
  }

  async findById(organizationId: number, id: number, tx: AnyTx): Promise<OrganizationMemberRow | undefined> {
    return tx(table).select(aliases(fields)).where(columns({ organizationId, id })).first();
  }

  /** Adds a member; one that is there already stays as it is. */
  async add(
    member: Omit<OrganizationMemberRow, 'id' | 'status' | 'updatedAt'>,
    tx: IdentityTx,
  ): Promise<OrganizationMemberRow> {
    await tx(table)
      .insert(columns({ ...member, updatedAt: member.createdAt }))
      .onConflict(['organization_id', 'account_id'])
      .ignore();
    return tx(table)
      .select(aliases(fields))
      .where(columns({ organizationId: member.organizationId, accountId: member.accountId }))
      .first();
  }

  async update(
    id: number,
    changes: Partial<Pick<OrganizationMemberRow, 'role' | 'status'>> & { updatedAt: Date },
    tx: IdentityTx,
  ): Promise<OrganizationMemberRow> {
    await tx(table).where({ id }).update(columns(changes));
    return tx(table).select(aliases(fields)).where({ id }).first();
  }

  async remove(id: number, tx: IdentityTx): Promise<void> {
    await tx(table).where({ id }).delete();
  }

  async list(
    organizationId: number,
    page: PageRequest<'createdAt' | 'name'>,
  ): Promise<PageOf<OrganizationMemberRow>> {
    const found = this.knex(table).select(aliases(fields)).where(columns({ organizationId }));
    return pageOf(found, page, page.sortBy === 'name' ? 'name' : 'created_at');
  }

  async count(organizationId: number, tx: AnyTx): Promise<number> {
    return countOf(tx(table).where(columns({ organizationId })));
  }

  /** Whether another active member than this one, whose account can be signed in to, is an owner. */
  async hasOtherOwner({ id, organizationId }: OrganizationMemberRow, tx: AnyTx): Promise<boolean> {
    const other = await tx(`${table} as m`)
      .join('identity.accounts as a', 'a.id', 'm.account_id')
      .where({
        'm.organization_id': organizationId,
        'm.role': 'owner',
        'm.status': 'active',
        'a.enabled': true,
      })
      .whereNot('m.id', id)
      .first('m.id');
    return other !== undefined;
  }
}
