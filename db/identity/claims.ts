import { prepared, statement } from '../statement.js';
import type { IdentityTx } from '../tx.js';
import type { LoginChannel } from './models/login-code.js';

export interface Claimant {
  workspaceId: number;
  memberId: number;
}

export interface Claim extends Claimant {
  accountId: number | null;
}

/** The condition that a row is of one of these members (`placesOf`). */
export const isOfMembers = '(workspace_id, member_id) in (select * from unnest(?::bigint[], ?::bigint[]))';

/** The workspaces of members, and their ids. */
export function placesOf(members: readonly Claimant[]): [number[], number[]] {
  return [members.map(({ workspaceId }) => workspaceId), members.map(({ memberId }) => memberId)];
}

/*
 * Members are under the policies of their workspaces. Functions of the database (`identity.members_claiming` and others) bypass
 * these: called only here, for an address that a person signs in with, they return only ids.
 */

const membership = `left join identity.memberships m
  on m.workspace_id = c.workspace_id and m.member_id = c.member_id`;

/** The members that claim an address, over all workspaces. */
export class Claims {
  /** The oldest member that the account that proves the address may take over, else one for which it is pending. */
  async findFirst(channel: LoginChannel, address: string, tx: IdentityTx): Promise<Claimant | undefined> {
    const [first] = await prepared<Claimant>(
      tx,
      `select workspace_id as "workspaceId", member_id as "memberId" from (
         select c.workspace_id, c.member_id, false as is_pending
         from identity.members_claiming(?, ?) c ${membership}
         left join identity.accounts a on a.id = m.account_id
         where a.id is null or (a.stands_alone and a.enabled)
         union all
         select workspace_id, member_id, true from identity.members_pending(?, ?)
       ) found order by is_pending, member_id limit 1`,
      [channel, address, channel, address],
    );
    return first;
  }

  /** Lists the members for which an address is pending or barred, with their accounts. */
  async findPending(channel: LoginChannel, address: string, tx: IdentityTx): Promise<Claim[]> {
    return claimsOf('members_pending', channel, address, tx);
  }

  /** Lists the members in whose rows an address is barred, one a workspace, with their accounts. */
  async findBarred(channel: LoginChannel, address: string, tx: IdentityTx): Promise<Claim[]> {
    return claimsOf('members_barred', channel, address, tx);
  }

  /** Lists all members that claim an address, oldest first. Locks their addresses, existence and memberships. */
  async hold(channel: LoginChannel, address: string, tx: IdentityTx): Promise<Claim[]> {
    const held = await prepared<Claimant>(
      tx,
      `select workspace_id as "workspaceId", member_id as "memberId" from identity.hold_members_claiming(?, ?)`,
      [channel, address],
    );
    if (held.length === 0) return [];
    // A separate statement, which sees what was committed while the first one waited for the members: another proof may
    // have barred the address.
    return statement<Claim>(
      tx,
      `select c.workspace_id as "workspaceId", c.member_id as "memberId", m.account_id as "accountId"
       from unnest(?::bigint[], ?::bigint[]) as held (workspace_id, member_id)
       join identity.members_claiming(?, ?) c using (workspace_id, member_id) ${membership} order by c.member_id`,
      [...placesOf(held), channel, address],
    );
  }

  /**
   * Links an account to members that have no account, or one that stands alone, which is deleted. A member stays as it
   * is if the account has another member in its workspace. The transaction holds the claims and all accounts.
   * @returns the members that are newly linked
   */
  async give(accountId: number, claims: readonly Claim[], now: Date, tx: IdentityTx): Promise<Claimant[]> {
    const accounts = claims.map((claim) => claim.accountId);
    const places = [...placesOf(claims), accounts];
    const claimed = `unnest(?::bigint[], ?::bigint[], ?::bigint[]) as c (workspace_id, member_id, account_id)`;
    const elsewhere = `not exists (select from identity.memberships own
      where own.workspace_id = c.workspace_id and own.account_id = ?)`;
    const given = 'returning m.workspace_id as "workspaceId", m.member_id as "memberId"';
    const [moved, linked] = await Promise.all([
      statement<Claimant>(
        tx,
        `update identity.memberships m set account_id = ? from ${claimed}
         where m.workspace_id = c.workspace_id and m.member_id = c.member_id
           and m.account_id = c.account_id and (m.account_id = ? or ${elsewhere}) ${given}`,
        [accountId, ...places, accountId, accountId],
      ),
      statement<Claimant>(
        tx,
        `insert into identity.memberships as m (workspace_id, member_id, account_id, created_at)
         select c.workspace_id, c.member_id, ?::bigint, ?::timestamptz from ${claimed} where c.account_id is null and ${elsewhere}
         ${given}`,
        [accountId, now, ...places, accountId],
      ),
      statement(
        tx,
        `delete from identity.accounts a where a.id = any(?::bigint[]) and a.stands_alone
           and not exists (select from identity.memberships m where m.account_id = a.id)`,
        [accounts],
      ),
    ]);
    return [...moved, ...linked];
  }
}

function claimsOf(
  name: 'members_pending' | 'members_barred',
  channel: LoginChannel,
  address: string,
  tx: IdentityTx,
): Promise<Claim[]> {
  return prepared<Claim>(
    tx,
    `select c.workspace_id as "workspaceId", c.member_id as "memberId", m.account_id as "accountId"
     from identity.${name}(?, ?) c ${membership} order by c.member_id`,
    [channel, address],
  );
}
