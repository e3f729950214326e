import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

export const membershipStatuses = ['active', 'disabled'] as const;

/** An account in an organization. */
export class OrganizationMemberModel extends identityTable('organization_members', {
  id: column<number>(),
  organizationId: column<number>(),
  accountId: column<number>(),
  role: column<OrganizationRole>('code'),
  status: column<(typeof membershipStatuses)[number]>('code'),
  /** Name and address of the person when it joined: what the organization may know of the account. */
  name: column<string | null>('personal'),
  email: column<string | null>('personal'),
  joinedBy: column<'founding' | 'invitation' | 'domain' | 'open' | 'sso'>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type OrganizationMemberRow = RowOf<OrganizationMemberModel>;

/** An invitation names an address: whose account has proved it may join. It has no token that could be passed on. */
export class OrganizationInvitationModel extends identityTable('organization_invitations', {
  id: column<number>(),
  organizationId: column<number>(),
  /** In lower case. */
  email: column<string>('personal'),
  role: column<OrganizationRole>('code'),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  invitedByAccountId: unread<number | null>(),
}) {}

export type OrganizationInvitationRow = RowOf<OrganizationInvitationModel>;
