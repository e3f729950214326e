import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx, Tx } from '../tx.js';
import { aliases, columns, IdentityTable } from './columns.js';

const fields = {
  workspaceId: column<number>(),
  memberId: column<number>(),
  accountId: column<number>(),
  /** The id by which this workspace knows the account; it differs in each workspace. */
  accountAlias: column<string>(),
  /** Whether the terms were accepted in this workspace. */
  tosAccepted: column<boolean>(),
  createdAt: column<Date>(),
};

/** The link between a member of a workspace and its account. */
export type MembershipRow = ValuesOf<typeof fields>;

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

const table = 'identity.memberships';
const accounts = 'identity.accounts';

/** Memberships: an account takes part in a workspace as one member. */
export class MembershipsTable extends IdentityTable {
  /** @throws a unique violation when the account or the member is linked in this workspace already */
  async add(
    membership: Pick<MembershipRow, 'workspaceId' | 'memberId' | 'accountId'> &
      Partial<Pick<MembershipRow, 'accountAlias' | 'tosAccepted'>> & {
        createdAt?: Date | undefined;
        isSupport?: boolean;
        supportReason?: string;
        supportEndsAt?: Date;
      },
    tx?: Tx,
  ): Promise<void> {
    await (tx ?? this.knex)(table).insert(columns(membership));
  }

  async acceptTerms(workspaceId: number, memberId: number, tx: Tx): Promise<void> {
    await tx(table).where(columns({ workspaceId, memberId })).update({ tos_accepted: true });
  }

  /** Extends the support access of a superuser; false where the account is one of the workspace's own members. */
  async extendSupport(
    { workspaceId, accountId }: Pick<MembershipRow, 'workspaceId' | 'accountId'>,
    support: { reason: string; endsAt: Date },
    tx: Tx,
  ): Promise<boolean> {
    const extended = await tx(table)
      .where({ ...columns({ workspaceId, accountId }), is_support: true })
      .update({ support_reason: support.reason, support_ends_at: support.endsAt });
    return extended > 0;
  }

  /** Returns the members that are superusers with support access, as opposed to the workspace's own members. */
  async supportMemberIds(workspaceId: number, tx: Tx): Promise<number[]> {
    const rows: { member_id: number }[] = await tx(table)
      .select('member_id')
      .where({ workspace_id: workspaceId, is_support: true });
    return rows.map((row) => row.member_id);
  }

  /** Lists the memberships of an account except those for support, by workspace. */
  async listOwn(accountId: number, tx: AnyTx): Promise<MembershipRow[]> {
    return tx(table)
      .select(aliases(fields))
      .where({ account_id: accountId, is_support: false })
      .orderBy('workspace_id');
  }

  async findByAccount(workspaceId: number, accountId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    return (tx ?? this.knex)(table)
      .select(aliases(fields))
      .where(columns({ workspaceId, accountId }))
      .first();
  }

  async findByMember(workspaceId: number, memberId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where(columns({ workspaceId, memberId })).first();
  }

  /** Whether one of these members has an account that somebody can sign in to and has proved. */
  async anyUsable(workspaceId: number, memberIds: readonly number[], tx?: Tx): Promise<boolean> {
    const found = await (tx ?? this.knex)(`${table} as m`)
      .join('identity.accounts as a', 'a.id', 'm.account_id')
      .where({ 'm.workspace_id': workspaceId, 'a.enabled': true, 'a.stands_alone': false })
      .whereIn('m.member_id', [...memberIds])
      .first('m.member_id');
    return found !== undefined;
  }

  /** Unlinks a member's account, and deletes one that stood alone. False if none was linked. */
  async remove(workspaceId: number, memberId: number, tx?: Tx): Promise<boolean> {
    const knex = tx ?? this.knex;
    const [removed] = await knex(table)
      .where(columns({ workspaceId, memberId }))
      .delete()
      .returning<{ account_id: number }[]>('account_id');
    if (removed === undefined) return false;
    // Skips an account that is locked: its holder is about to change it, or waits for this transaction.
    const alone = knex(accounts).select('id').where({ id: removed.account_id, stands_alone: true });
    await knex(accounts).whereIn('id', alone.forUpdate().skipLocked()).delete();
    return true;
  }
}
