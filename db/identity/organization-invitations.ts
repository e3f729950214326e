import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { aliases, columns, countOf, IdentityTable, pageOf, removeExpiredRows } from './columns.js';
import type { OrganizationRole } from './organization-members.js';

const fields = {
  id: column<number>(),
  organizationId: column<number>(),
  /** In lower case. */
  email: column<string>(),
  role: column<OrganizationRole>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
};

/** An invitation names an address: whose account has proved it may join. It has no token that could be passed on. */
export type OrganizationInvitationRow = ValuesOf<typeof fields>;

const table = 'identity.organization_invitations';

export class OrganizationInvitationsTable extends IdentityTable {
  /** Invites an address; another invitation of the organization for it is replaced. */
  async put(
    invitation: Omit<OrganizationInvitationRow, 'id'> & { invitedByAccountId: number },
    tx: IdentityTx,
  ): Promise<OrganizationInvitationRow> {
    const [row]: { id: number }[] = await tx(table)
      .insert(columns(invitation))
      .onConflict(['organization_id', 'email'])
      .merge()
      .returning('id');
    return tx(table).select(aliases(fields)).where({ id: row?.id }).first();
  }

  async findFor(
    organizationId: number,
    email: string,
    now: Date,
    tx: AnyTx,
  ): Promise<OrganizationInvitationRow | undefined> {
    return tx(table)
      .select(aliases(fields))
      .where(columns({ organizationId, email }))
      .where('expires_at', '>', now)
      .first();
  }

  async listOpen(
    organizationId: number,
    now: Date,
    page: PageRequest<'createdAt' | 'email'>,
  ): Promise<PageOf<OrganizationInvitationRow>> {
    const open = this.knex(table)
      .select(aliases(fields))
      .where(columns({ organizationId }))
      .where('expires_at', '>', now);
    return pageOf(open, page, page.sortBy === 'email' ? 'email' : 'created_at');
  }

  async count(organizationId: number, tx: AnyTx): Promise<number> {
    return countOf(tx(table).where(columns({ organizationId })));
  }

  async remove(organizationId: number, id: number, tx: AnyTx): Promise<boolean> {
    return (await tx(table).where(columns({ organizationId, id })).delete()) > 0;
  }

  async removeExpired(now: Date, tx: AnyTx): Promise<void> {
    await removeExpiredRows(tx, table, now);
  }
}
