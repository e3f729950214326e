import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { IdentityTable, pageOf, removeExpiredRows } from './identity-table.js';
import { OrganizationInvitationModel, type OrganizationInvitationRow } from './models/organization-member.js';

export class OrganizationInvitationsTable extends IdentityTable {
  /** Invites an address; another invitation of the organization for it is replaced. */
  async put(
    invitation: Omit<OrganizationInvitationRow, 'id'> & { invitedByAccountId: number },
    tx: IdentityTx,
  ): Promise<OrganizationInvitationRow> {
    return OrganizationInvitationModel.upsert(tx, invitation, ['organizationId', 'email']);
  }

  async findFor(
    organizationId: number,
    email: string,
    now: Date,
    tx: AnyTx,
  ): Promise<OrganizationInvitationRow | undefined> {
    const isOpen = 'organization_id = ? and email = ? and expires_at > ?';
    return OrganizationInvitationModel.first(tx, isOpen, [organizationId, email, now]);
  }

  async listOpen(
    organizationId: number,
    now: Date,
    page: PageRequest<'createdAt' | 'email'>,
  ): Promise<PageOf<OrganizationInvitationRow>> {
    const open = {
      select: OrganizationInvitationModel.columns,
      from: 'identity.organization_invitations where organization_id = ? and expires_at > ?',
      bindings: [organizationId, now],
    };
    return pageOf(this.knex, open, page, page.sortBy === 'email' ? 'email' : 'created_at');
  }

  async count(organizationId: number, tx: AnyTx): Promise<number> {
    return OrganizationInvitationModel.count(tx, 'organization_id = ?', [organizationId]);
  }

  async remove(organizationId: number, id: number, tx: AnyTx): Promise<boolean> {
    const isOfOrganization = 'organization_id = ? and id = ?';
    return (await OrganizationInvitationModel.deleteWhere(tx, isOfOrganization, [organizationId, id])) > 0;
  }

  async removeExpired(now: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, OrganizationInvitationModel, now);
  }
}
