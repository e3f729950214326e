import type { Knex } from 'knex';
import type { AnyTx, Tx } from '../database.js';
import { aliases, columns } from './columns.js';

/** Which account stands behind which member of which workspace. */
export interface MembershipRow {
  workspaceId: number;
  memberId: number;
  accountId: number;
  /** By which this workspace knows the account; no other workspace knows it by the same. */
  accountAlias: string;
  /** Whether the terms were accepted in this workspace. */
  tosAccepted: boolean;
  createdAt: Date;
}

const fields = ['workspaceId', 'memberId', 'accountId', 'accountAlias', 'tosAccepted', 'createdAt'] as const;
const table = 'identity.memberships';
const accounts = 'identity.accounts';

/** Memberships: an account takes part in a workspace as one member. */
export class MembershipsTable {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

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
    await (tx ?? this.#knex)(table).insert(columns(membership));
  }

  /** Notes that the terms were accepted in the workspace, which stays so. */
  async acceptTerms(workspaceId: number, memberId: number, tx: Tx): Promise<void> {
    await tx(table).where(columns({ workspaceId, memberId })).update({ tos_accepted: true });
  }

  /** Lets a superuser stay for support until then; false where the account is one of the workspace's own people. */
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

  /** The members that are superusers who joined for support, and no part of the workspace's own people. */
  async supportMemberIds(workspaceId: number, tx: Tx): Promise<number[]> {
    const rows: { member_id: number }[] = await tx(table)
      .select('member_id')
      .where({ workspace_id: workspaceId, is_support: true });
    return rows.map((row) => row.member_id);
  }

  /** Where an account takes part as one of the workspace's own people, in order of workspaces. */
  async listOwn(accountId: number, tx: AnyTx): Promise<MembershipRow[]> {
    return tx(table)
      .select(aliases(fields))
      .where({ account_id: accountId, is_support: false })
      .orderBy('workspace_id');
  }

  async findByAccount(workspaceId: number, accountId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    return (tx ?? this.#knex)(table)
      .select(aliases(fields))
      .where(columns({ workspaceId, accountId }))
      .first();
  }

  async findByMember(workspaceId: number, memberId: number, tx?: Tx): Promise<MembershipRow | undefined> {
    return (tx ?? this.#knex)(table)
      .select(aliases(fields))
      .where(columns({ workspaceId, memberId }))
      .first();
  }

  /** Whether one of these members has an account that somebody can log in to, and proved to. */
  async anyUsable(workspaceId: number, memberIds: readonly number[], tx?: Tx): Promise<boolean> {
    const found = await (tx ?? this.#knex)(`${table} as m`)
      .join('identity.accounts as a', 'a.id', 'm.account_id')
      .where({ 'm.workspace_id': workspaceId, 'a.enabled': true, 'a.stands_alone': false })
      .whereIn('m.member_id', [...memberIds])
      .first('m.member_id');
    return found !== undefined;
  }

  /** Takes a member's account away from the workspace; one that stood alone goes for good. False when none was linked. */
  async remove(workspaceId: number, memberId: number, tx?: Tx): Promise<boolean> {
    const knex = tx ?? this.#knex;
    const [removed] = await knex(table)
      .where(columns({ workspaceId, memberId }))
      .delete()
      .returning<{ account_id: number }[]>('account_id');
    if (removed === undefined) return false;
    // Whoever holds it at this moment is about to change it, or has to wait for us: not the other way round.
    const alone = knex(accounts).select('id').where({ id: removed.account_id, stands_alone: true });
    await knex(accounts).whereIn('id', alone.forUpdate().skipLocked()).delete();
    return true;
  }
}
