import { column, identityTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The link between a member of a workspace and its account. */
export class MembershipModel extends identityTable('memberships', {
  workspaceId: column<number>(),
  memberId: column<number>(),
  accountId: column<number>(),
  /** The id by which this workspace knows the account; it differs in each workspace. */
  accountAlias: column<string>(),
  /** Whether the terms were accepted in this workspace. */
  tosAccepted: column<boolean>(),
  createdAt: column<Date>(),
  /** Whether the member is a superuser with support access, as opposed to the workspace's own members. */
  isSupport: unread<boolean>(),
  supportReason: unread<string | null>('personal'),
  supportEndsAt: unread<Date | null>(),
}) {}

export type MembershipRow = RowOf<MembershipModel>;
