import type { Values } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { AnyTx, Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { AccountModel } from './models/account.js';
import { MembershipModel, type MembershipRow } from './models/membership.js';

/** The membership that a credential has in the workspace that it is used in. */
export interface EnteredMembership {
  /** Null when there is no such workspace, the credential is not valid there or its account is not a member. */
  workspaceId: number | null;
  memberId: number | null;
  /** When the support access of a superuser ends; null for other members. */
  supportEndsAt: Date | null;
  /** Whether the member has support access although its account is no longer a superuser. */
  supportLost: boolean;
  isSupport: boolean;
  /** Whether the organization of the workspace accepts nothing but its identity provider. */
  ssoOnly: boolean;
  /** Until when the credential has come by it; null: it has not. */
  ssoEndsAt: Date | null;
}

const isOfMember = 'workspace_id = ? and member_id = ?';

/** Memberships: an account takes part in a workspace as one member. */
export class MembershipsTable extends IdentityTable {
  /** @throws a unique violation when the account or the member is linked in this workspace already */
  async add(
    membership: Pick<MembershipRow, 'workspaceId' | 'memberId' | 'accountId'> & Values<MembershipModel>,
    tx?: Tx,
  ): Promise<void> {
    await MembershipModel.insert(tx ?? this.knex, membership);
  }

  async acceptTerms(workspaceId: number, memberId: number, tx: Tx): Promise<void> {
    await MembershipModel.updateWhere(tx, { tosAccepted: true }, isOfMember, [workspaceId, memberId]);
  }

  /** Extends the support access of a superuser; false where the account is one of the workspace's own members. */
  async extendSupport(
    { workspaceId, accountId }: Pick<MembershipRow, 'workspaceId' | 'accountId'>,
    { reason, endsAt }: { reason: string; endsAt: Date },
    tx: Tx,
  ): Promise<boolean> {
    const extended = await MembershipModel.updateWhere(
      tx,
      { supportReason: reason, supportEndsAt: endsAt },
      'workspace_id = ? and account_id = ? and is_support',
      [workspaceId, accountId],
    );
    return extended > 0;
  }

  /** Returns the members that are superusers with support access, as opposed to the workspace's own members. */
  async supportMemberIds(workspaceId: number, tx: Tx): Promise<number[]> {
    const isSupport = 'workspace_id = ? and is_support';
    const rows = await MembershipModel.pick(tx, ['memberId'], isSupport, [workspaceId]);
    return rows.map(({ memberId }) => memberId);
  }

  /** Lists the memberships of an account except those for support, by workspace. */
  async listOwn(accountId: number, tx: AnyTx): Promise<MembershipRow[]> {
    return MembershipModel.where(tx, 'account_id = ? and not is_support order by workspace_id', [accountId]);
  }

  async findByAccount(workspaceId: number, accountId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    const isOfAccount = 'workspace_id = ? and account_id = ?';
    return MembershipModel.first(tx ?? this.knex, isOfAccount, [workspaceId, accountId]);
  }

  async findByMember(workspaceId: number, memberId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    return MembershipModel.first(tx ?? this.knex, isOfMember, [workspaceId, memberId]);
  }

  /** Whether one of these members has an account that somebody can sign in to and has proved. */
  async anyUsable(workspaceId: number, memberIds: readonly number[], tx?: Tx): Promise<boolean> {
    const found = await prepared(
      tx ?? this.knex,
      `select 1 from identity.memberships m join identity.accounts a on a.id = m.account_id
       where m.workspace_id = ? and a.enabled and not a.stands_alone and m.member_id = any(?) limit 1`,
      [workspaceId, memberIds],
    );
    return found.length > 0;
  }

  /** Unlinks a member's account, and deletes one that stood alone. False if none was linked. */
  async remove(workspaceId: number, memberId: number, tx?: Tx): Promise<boolean> {
    const knex = tx ?? this.knex;
    const [removed] = await MembershipModel.deleteReturning(knex, isOfMember, [workspaceId, memberId]);
    if (removed === undefined) return false;
    // Skips an account that is locked: its holder is about to change it, or waits for this transaction.
    await AccountModel.deleteWhere(
      knex,
      'id in (select id from identity.accounts where id = ? and stands_alone for update skip locked)',
      [removed.accountId],
    );
    return true;
  }
}
